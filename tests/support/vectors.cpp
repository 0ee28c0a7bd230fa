// Known-answer files: see vectors.h.
// SPDX-License-Identifier: Apache-2.0
#include "vectors.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace
{

// The file's place, or an empty path if no folder has it.
std::filesystem::path find_vectors(const std::string &path)
{
    for (const std::filesystem::path folder : {LATKEM_VECTORS_DIR, LATKEM_UNPACKED_VECTORS})
        if (!folder.empty() && std::filesystem::exists(folder / path)) return folder / path;
    return {};
}

std::ifstream open_vectors(const std::string &path)
{
    std::ifstream file(find_vectors(path));
    if (!file) throw std::runtime_error("there is no file of vectors " + path);
    return file;
}

} // namespace

bool has_vectors(const std::string &path)
{
    return !find_vectors(path).empty();
}

nlohmann::json load_json(const std::string &path)
{
    std::ifstream file = open_vectors(path);
    return nlohmann::json::parse(file);
}

std::vector<std::string> load_lines(const std::string &path)
{
    std::ifstream file = open_vectors(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}
