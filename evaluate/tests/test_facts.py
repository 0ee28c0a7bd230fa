"""The facts that the report reads from the rest of the repository. SPDX-License-Identifier: Apache-2.0"""

import pytest

from latkem_evaluate.facts import families, kernel_groups
from latkem_evaluate.palette import GROUPS, SCHEMES, group_of


def test_every_family_has_a_colour() -> None:
    assert set(families().values()) == {scheme.title for scheme in SCHEMES[:-1]}


def test_every_listed_kernel_is_in_a_group_of_the_report() -> None:
    assert len(kernel_groups()) > 50
    assert set(kernel_groups().values()) <= {group.key for group in GROUPS}


@pytest.mark.parametrize(
    ("kernel", "group"),
    [
        *(("q3329/ntt", "NTT"), ("q3329/inner_product_k3", "Products"), ("keccak/permute_x4", "Keccak")),
        *(("cyclic/lift_inverse", "Inversion"), ("negacyclic/evaluate_small", "Products")),
        *(("cyclic/add", "Reduction, addition"), ("q3329/unheard_of", "Other kernels")),
    ],
)
def test_shapes_are_in_the_group_of_their_kernel(kernel: str, group: str) -> None:
    assert group_of(*kernel.split("/")).title == group
