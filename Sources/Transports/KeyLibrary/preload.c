/*
 * For LD_PRELOAD: programs with libfido2 find the virtual key only. A test cannot reach a real key by mistake.
 * LD_PRELOAD does not reach programs with the set-user-ID bit, such as sudo.
 */
#define _GNU_SOURCE
#include "virtual_key.h"

#include <dlfcn.h>
#include <string.h>

/* The function of this name in the library that follows this one. */
#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

EXPORTED int fido_dev_info_manifest(fido_dev_info_t *list, size_t length, size_t *found) {
    char path[VIRTUAL_KEY_PATH];
    *found = 0;
    if (length == 0) return FIDO_OK;
    if (list == NULL) return FIDO_ERR_INVALID_ARGUMENT;
    if (!virtual_key_path(path) || !virtual_key_answers(path)) return FIDO_OK;
    int result = fido_dev_info_set(list, 0, path, "Touchstone", "virtual key", &virtual_key_io, NULL);
    if (result == FIDO_OK) *found = 1;
    return result;
}

EXPORTED int fido_dev_open(fido_dev_t *device, const char *path) {
    if (path != NULL && strncmp(path, VIRTUAL_KEY_SCHEME, strlen(VIRTUAL_KEY_SCHEME)) == 0) {
        int result = fido_dev_set_io_functions(device, &virtual_key_io);
        if (result != FIDO_OK) return result;
    }
    return NEXT(fido_dev_open)(device, path);
}

/* systemd loads libfido2 by its name and asks it for the functions; it gets this library, which has them all. */
EXPORTED void *dlopen(const char *file, int mode) {
    const char *name = file == NULL ? NULL : strrchr(file, '/');
    name = name == NULL ? file : name + 1;
    Dl_info own;
    if (name != NULL && strncmp(name, "libfido2.so", 11) == 0 && dladdr((void *)&virtual_key_io, &own) != 0)
        file = own.dli_fname;
    return NEXT(dlopen)(file, mode);
}
