/* The options of the module's section in the configuration. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/keyfile.h>
#include <openssl/conf.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdio.h>
#include <string.h>

#include "dispatch.h"

#define FORM "private-key-form"
#define GROUPS "tls-groups"

/* OpenSSL goes on without a provider that it cannot load, and keeps the reason to itself (provider_conf_load). So a person
 * who has misspelt an option would get TLS without ML-KEM and no word of it: the message goes to stderr too. */
#define refuse(context, ...)                                                                                           \
    (fprintf(stderr, "latkemprovider: " __VA_ARGS__), fputc('\n', stderr),                                             \
     lkv_refuse(&(context)->core, LKV_BAD_OPTION, __VA_ARGS__))

static int choose_form(lkv_context *context, const char *name)
{
    static const struct {
        const char *name;
        int form;
    } forms[] = {{"seed", LATKEM_FORM_SEED}, {"expanded", LATKEM_FORM_EXPANDED}, {"both", LATKEM_FORM_BOTH}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(name, forms[i].name) == 0) {
            context->form = forms[i].form;
            return 1;
        }
    return refuse(context, FORM " = %.40s: it is one of seed, expanded, both", name);
}

/* The row of a group's name, or LKV_SETS. */
static size_t group_of(const char *name, size_t len)
{
    size_t set = 0;
    while (set < LKV_SETS &&
           !(lkv_sets[set].group && strlen(lkv_sets[set].group) == len && strncmp(lkv_sets[set].group, name, len) == 0))
        set++;
    return set;
}

static int choose_groups(lkv_context *context, const char *list)
{
    static const char between[] = ":, ";
    for (const char *at = list + strspn(list, between); *at; at += strspn(at, between)) {
        const size_t len = strcspn(at, between), set = group_of(at, len);
        if (set == LKV_SETS) return refuse(context, GROUPS ": there is no group %.*s", len < 40 ? (int)len : 40, at);
        context->offers_group[set] = 1;
        at += len;
    }
    return 1;
}

/* ---- Keys that nobody would read ---- */

static int is_known(const char *key)
{
    static const char *const known[] = {"identity", "module", "activate", "soft_load", FORM, GROUPS};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(key, known[i]) == 0) return 1;
    return 0;
}

/* The section of the provider of a name: openssl_conf leads to a section, `providers` in it to another, and that to it. */
static STACK_OF(CONF_VALUE) * section_of(const CONF *file, const char *provider)
{
    const char *name = NCONF_get_string(file, NULL, "openssl_conf");
    if (name) name = NCONF_get_string(file, name, "providers");
    if (name) name = NCONF_get_string(file, name, provider);
    return name ? NCONF_get_section(file, name) : NULL;
}

static int check_section(lkv_context *context, const char *path, const STACK_OF(CONF_VALUE) * section)
{
    for (int i = 0; i < sk_CONF_VALUE_num(section); i++) {
        const char *key = sk_CONF_VALUE_value(section, i)->name, *point = strchr(key, '.');
        if (!is_known(point ? point + 1 : key))
            return refuse(context, "%s: there is no option %.40s; there are " FORM " and " GROUPS, path, key);
    }
    return 1;
}

/* The core answers for options by name and lists none. So the default configuration file is read, which is the one in use
 * unless the program has chosen another. A file that cannot be read is the core's to report. */
static int check_keys(lkv_context *context, const char *provider)
{
    char *path = CONF_get1_default_config_file();
    CONF *file = NCONF_new_ex(context->libcrypto, NULL);
    long line = 0;
    int ok = 1;
    ERR_set_mark();
    if (path && file && NCONF_load(file, path, &line) == 1) {
        const STACK_OF(CONF_VALUE) *section = section_of(file, provider);
        if (section) ok = check_section(context, path, section);
    }
    NCONF_free(file);
    OPENSSL_free(path);
    if (ok)
        ERR_pop_to_mark();
    else
        ERR_clear_last_mark();
    return ok;
}

int lkv_configure(lkv_context *context)
{
    char *form = NULL, *groups = NULL, *provider = NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_ptr(FORM, &form, 0),
        OSSL_PARAM_construct_utf8_ptr(GROUPS, &groups, 0),
        OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_CORE_PROV_NAME, &provider, 0),
        OSSL_PARAM_construct_end(),
    };
    if (!context->core.get_params(context->core.handle, params)) return 0;
    context->form = LATKEM_FORM_SEED;
    for (size_t set = 0; set < LKV_SETS; set++) context->offers_group[set] = !groups && lkv_sets[set].group;
    return (!form || choose_form(context, form)) && (!groups || choose_groups(context, groups)) &&
           (!provider || check_keys(context, provider));
}
