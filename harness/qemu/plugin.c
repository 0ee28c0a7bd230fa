/* A QEMU plugin that writes down what a program executes between two markers, which are functions of the program.
 *
 * Loaded with qemu-aarch64 -plugin plugin.so,begin=ADDRESS,end=ADDRESS,out=FILE[,memory=on]. FILE is a sequence of 64-bit
 * words of the host: the number of each executed block, with memory=on the address of each access with bit 63 set, and
 * all ones at the end of each section. FILE.blocks has a line "address instructions" for each block, in order of the
 * numbers. For programs of one thread. SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

#define SECTION_END UINT64_MAX
#define ACCESS ((uint64_t)1 << 63)

/* The interface is the same in all versions as far as it is used, but QEMU asks which a plugin was written for. */
PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t begin_marker, end_marker, blocks;
static FILE *out, *block_list;
static int in_section, memory;

static void put(uint64_t word)
{
    if (fwrite(&word, sizeof word, 1, out) != 1) {
        perror("plugin");
        exit(EXIT_FAILURE);
    }
}

static void executed(unsigned vcpu, void *block)
{
    (void)vcpu;
    if (in_section) put((uintptr_t)block);
}

static void accessed(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)vcpu, (void)info, (void)data;
    if (in_section) put(address | ACCESS);
}

static void begin(unsigned vcpu, void *data)
{
    (void)vcpu, (void)data;
    in_section = 1;
}

static void end(unsigned vcpu, void *data)
{
    (void)vcpu, (void)data;
    if (in_section) put(SECTION_END);
    in_section = 0;
}

/* Markers are called, so that each begins a block. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    const uint64_t address = qemu_plugin_tb_vaddr(tb);
    const size_t count = qemu_plugin_tb_n_insns(tb);
    (void)fprintf(block_list, "%" PRIx64 " %zu\n", address, count); /* close_files asks for errors */
    if (address == end_marker) qemu_plugin_register_vcpu_tb_exec_cb(tb, end, QEMU_PLUGIN_CB_NO_REGS, NULL);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)blocks++);
    if (address == begin_marker) qemu_plugin_register_vcpu_tb_exec_cb(tb, begin, QEMU_PLUGIN_CB_NO_REGS, NULL);
    for (size_t i = 0; memory && i < count; i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), accessed, QEMU_PLUGIN_CB_NO_REGS,
                                         QEMU_PLUGIN_MEM_RW, NULL);
}

static void close_files(qemu_plugin_id_t id, void *data)
{
    (void)id, (void)data;
    const int failed = ferror(out) || ferror(block_list);
    if (fclose(out) != 0 || fclose(block_list) != 0 || failed) perror("plugin");
}

static FILE *create(const char *name, const char *suffix)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s%s", name, suffix) >= sizeof path) return NULL;
    return fopen(path, "wb");
}

/* Whether the text is name and a number in hexadecimal, which *value becomes. */
static int is_address(const char *text, const char *name, uint64_t *value)
{
    char *end;
    if (strncmp(text, name, strlen(name)) != 0) return 0;
    *value = strtoull(text + strlen(name), &end, 16);
    return *end == 0 && end != text + strlen(name);
}

static int option(const char *text)
{
    if (is_address(text, "begin=", &begin_marker) || is_address(text, "end=", &end_marker)) return 0;
    if (strncmp(text, "memory=", 7) == 0) {
        memory = strcmp(text + 7, "on") == 0;
        return 0;
    }
    if (strncmp(text, "out=", 4) != 0) return -1;
    out = create(text + 4, "");
    block_list = create(text + 4, ".blocks");
    return out && block_list ? 0 : -1;
}

PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);
PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        if (option(argv[i]) != 0) {
            (void)fprintf(stderr, "plugin: cannot do %s\n", argv[i]);
            return -1;
        }
    if (!out || !begin_marker || !end_marker) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, close_files, NULL);
    return 0;
}
