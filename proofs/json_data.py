"""The type of JSON data. SPDX-License-Identifier: Apache-2.0"""

from typing import Any

Json = Any
