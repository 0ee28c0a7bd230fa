// Shared by the users of OpenSSL's libcrypto: its errors, and pointers that free its objects.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_LIBCRYPTO_H
#define LATKEM_CLI_LIBCRYPTO_H

#include <memory>

#include <openssl/err.h>

#include "failure.h"

// demand throws the Failure that libcrypto reports, unless a call of it succeeded.
inline void demand(bool success)
{
    if (success) return;
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    fail("libcrypto", reason ? reason : "failed");
}

template <auto function> struct Call {
    template <class T> void operator()(T *object) const
    {
        function(object);
    }
};

// Fetching an algorithm takes longer than using it on a short message: each is fetched once and kept in one of these.
template <class T, auto free> using Fetched = std::unique_ptr<T, Call<free>>;

#endif
