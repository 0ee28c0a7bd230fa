// The folder of known-answer vectors: see vectors.h.
// SPDX-License-Identifier: Apache-2.0
#include "vectors.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace
{

std::string full_path(const std::string &path)
{
    return std::string(LATKEM_VECTORS_DIR) + "/" + path;
}

std::vector<std::string> split(std::istream &text)
{
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

std::ifstream open_vectors(const std::string &path)
{
    std::ifstream file(full_path(path));
    if (!file) throw std::runtime_error("cannot read " + full_path(path));
    return file;
}

} // namespace

std::string vectors_name(const SetFacts &set)
{
    return set.family == Family::ntru ? std::string(set.rsp_header).substr(2) : set.name;
}

bool vectors_present()
{
    return std::filesystem::is_directory(LATKEM_VECTORS_DIR);
}

nlohmann::json load_json(const std::string &path)
{
    std::ifstream file = open_vectors(path);
    return nlohmann::json::parse(file);
}

std::vector<std::string> load_lines(const std::string &path)
{
    std::ifstream file = open_vectors(path);
    return split(file);
}

std::vector<std::string> load_gzip_lines(const std::string &path)
{
    const std::string command = "gzip -dc '" + full_path(path) + "'";
    FILE *pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
    std::stringstream text;
    char buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        text.write(buffer, static_cast<std::streamsize>(got));
    if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
    return split(text);
}
