// Go's end of TLS: the standard library alone. SPDX-License-Identifier: Apache-2.0
module latkem/provider

go 1.26
