# Targets of Java and Android. SPDX-License-Identifier: Apache-2.0
.PHONY: java test-java android

java: ## Java: bindings/java/latkem/target/latkem-VERSION.jar, native libraries inside
	@tools/setup.sh java
	mvn -B -ntp -q -f bindings/java package -DskipTests
	@ls bindings/java/*/target/latkem-*.jar

test-java: ## the JUnit tests on every Java here, from 17 on (DEEP=1: those that take long too)
	@tools/setup.sh java
	@python3 bindings/java/tests/unit.py --every-jdk $(if $(DEEP),--slow)

android: ## Android: library and app in build/, without an SDK
	@tools/setup.sh android
	@python3 bindings/java/android/build.py
