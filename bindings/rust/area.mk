# Targets of Rust. SPDX-License-Identifier: Apache-2.0
.PHONY: rust test-rust rust-speed

rust: ## Rust: the crates latkem-sys and latkem, in build/rust
	@tools/setup.sh rust
	@python3 bindings/rust/package.py

test-rust: ## the tests of the crates (DEEP=1: also the packed crates, the installed library, other crates)
	@tools/setup.sh rust
	@python3 bindings/rust/test.py $(if $(DEEP),--deep)

rust-speed: ## what the crate costs over C, beside aws-lc-rs and ml-kem
	@tools/setup.sh rust
	@python3 bindings/rust/speed.py
