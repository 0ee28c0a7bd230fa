"""`python -m latkem_evaluate`. SPDX-License-Identifier: Apache-2.0"""

import sys

from latkem_evaluate.cli import main

sys.exit(main())
