//! Nothing: the package is there for its dependency. SPDX-License-Identifier: Apache-2.0
