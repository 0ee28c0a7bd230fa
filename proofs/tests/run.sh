#!/bin/sh
# The proofs in `make test`: theorems, then the forms of instruction that they met and whole operations, compared with
# processors, then the proofs' own tests. Usage: proofs/tests/run.sh quick|deep SPDX-License-Identifier: Apache-2.0
set -eu
python=build/venv/bin/python
table=build/proofs/test
export PYTHONPATH=.

case $1 in
quick)
    $python -m proofs --slice --out "$table"
    $python -m proofs.machine.check --met "$table/forms.json" --states 200 --on cpu qemu \
        --sets ML-KEM-512 --backends avx2 neon --variants 1
    ;;
deep)
    $python -m proofs --quick --out "$table"
    $python -m proofs --quick --out "$table-clang" --build clang aarch64-clang --only ML-KEM-
    $python -m proofs.machine.check --met "$table/forms.json" --sets ML-KEM-512 Kyber512-90s Saber NTRU-HPS-2048-509
    ;;
esac
$python -m pytest -q -rs -n "$(nproc)" proofs/tests
