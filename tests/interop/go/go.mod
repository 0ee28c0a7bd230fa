// Go's end of the interoperation: the standard library alone. SPDX-License-Identifier: Apache-2.0
module latkem/interop

go 1.26
