"""Domains: each decides equality of terms with a formula for one kind of kernel.

A domain returns when the claim is proved and raises NotProved with a witness when it is not.

SPDX-License-Identifier: Apache-2.0
"""


class NotProved(Exception):
    """The claim is false or beyond the domain; the message is the witness: an input, a violated bound or a term."""
