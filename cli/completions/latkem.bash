# Completion of latkem, written by docs/generate/completions.py from the help of the command.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# The words that may follow an option, or nothing if it takes no value.
_latkem_value() {
    case $1 in
    list:--backend | keygen:--backend | encaps:--backend | decaps:--backend | seal:--backend | open:--backend | check:--backend | convert:--backend | inspect:--backend | kex:--backend | kat:--backend | selftest:--backend | speed:--backend) words=$(latkem list 2>/dev/null | sed -n 's/^backends: \(.*\);.*/\1/p' | tr -d ,) ;;
    keygen:--ek | keygen:--dk | keygen:--save-seed | keygen:--passphrase-file | keygen:--seed-file | encaps:--ek | encaps:--ct | encaps:--ss | decaps:--dk | decaps:--seed-file | decaps:--passphrase-file | decaps:--ct | decaps:--ss | seal:--ek | seal:--in | seal:--out | open:--dk | open:--seed-file | open:--passphrase-file | open:--in | open:--out | check:--ek | check:--dk | check:--passphrase-file | convert:--in | convert:--out | convert:--passphrase-file | convert:--new-passphrase-file | inspect:--passphrase-file | kex:--message1 | kex:--message2 | kex:--state | kex:--key | kex:--ek | kex:--dk) files=1 ;;
    keygen:--format | convert:--format) words='raw der pem' ;;
    keygen:--private-form | convert:--private-form) words='seed expanded both' ;;
    keygen:--passphrase-fd | keygen:--seed-hex | decaps:--passphrase-fd | open:--passphrase-fd | check:--passphrase-fd | convert:--passphrase-fd | convert:--new-passphrase-fd | inspect:--passphrase-fd | kat:--count | selftest:--rounds | speed:--seconds) words='' ;;
    seal:--cipher) words='aes-256-gcm chacha20-poly1305' ;;
    *) return 1 ;;
    esac
}

_latkem() {
    local words='' files='' verb=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} place=0 i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words='list keygen encaps decaps seal open check convert inspect kex kat selftest speed help version --help --version'
    elif ! _latkem_value "$verb:${COMP_WORDS[COMP_CWORD - 1]}"; then
        for ((i = 2; i < COMP_CWORD; i++)); do
            if [[ ${COMP_WORDS[i]} == -?* ]]; then
                if _latkem_value "$verb:${COMP_WORDS[i]}"; then ((i++)); fi
            else
                ((place++))
            fi
        done
        words='' files=''
        case "$verb:$place" in
        keygen:0 | encaps:0 | decaps:0 | seal:0 | open:0 | check:0 | convert:0 | kex:2 | kat:0 | selftest:* | speed:*) words='ML-KEM-512 ML-KEM-768 ML-KEM-1024 Kyber512 Kyber768 Kyber1024 Kyber512-90s Kyber768-90s Kyber1024-90s LightSaber Saber FireSaber NTRU-HPS-2048-509 NTRU-HPS-2048-677 NTRU-HPS-4096-821 NTRU-HRSS-701 X25519MLKEM768 SecP256r1MLKEM768 SecP384r1MLKEM1024 X-Wing MLKEM768-P256 MLKEM1024-P384' ;;
        inspect:0) files=1 ;;
        kex:0) words='uake ake' ;;
        kex:1) words='start reply finish' ;;
        help:0) words='list keygen encaps decaps seal open check convert inspect kex kat selftest speed help version' ;;
        esac
        case $verb in
        list) words+=' -h --help --backend --kernels --json' ;;
        keygen) words+=' -h --help --ek --dk --save-seed --format --private-form --encrypt --passphrase-file --passphrase-fd --seed-file --seed-hex --force --backend --quiet' ;;
        encaps) words+=' -h --help --ek --ct --ss --force --backend' ;;
        decaps) words+=' -h --help --dk --seed-file --passphrase-file --passphrase-fd --ct --ss --force --backend' ;;
        seal) words+=' -h --help --ek --in --out --cipher --force --backend --quiet' ;;
        open) words+=' -h --help --dk --seed-file --passphrase-file --passphrase-fd --in --out --no-version-1 --force --backend' ;;
        check) words+=' -h --help --ek --dk --passphrase-file --passphrase-fd --backend --json' ;;
        convert) words+=' -h --help --in --out --format --private-form --public --encrypt --passphrase-file --passphrase-fd --new-passphrase-file --new-passphrase-fd --force --backend' ;;
        inspect) words+=' -h --help --passphrase-file --passphrase-fd --backend --json' ;;
        kex) words+=' -h --help --message1 --message2 --state --key --ek --dk --force --backend --quiet' ;;
        kat) words+=' -h --help --count --backend --json' ;;
        selftest) words+=' -h --help --rounds --kex --backend --json' ;;
        speed) words+=' -h --help --seconds --tiers --kex --backend --json' ;;
        help | version) words+=' -h --help' ;;
        esac
    fi
    if [[ $files && $current != -?* ]]; then
        compopt -o default 2>/dev/null
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    fi
}

complete -F _latkem latkem
