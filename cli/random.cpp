// Bytes of the operating system's random generator.
// SPDX-License-Identifier: Apache-2.0
#include "random.h"

#include <unistd.h>

#include "failure.h"

Buffer random_bytes(size_t size)
{
    Buffer bytes(size);
    constexpr size_t most = 256; // what one getentropy call gives
    for (size_t done = 0; done < size; done += most)
        if (getentropy(bytes.data() + done, std::min(most, size - done)) != 0) fail_errno("random generator");
    return bytes;
}
