#!/usr/bin/env bash
# Compiles the client into a jar, from the jars of Debian's junit5 and libjackson2-databind-java; Maven builds the same from pom.xml.
# usage: scripts/build.sh FOLDER
set -euo pipefail
[[ $# -eq 1 ]] || {
    echo "usage: scripts/build.sh FOLDER" >&2
    exit 2
}
folder=$(realpath -m -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jars=${JAVA_JARS:-/usr/share/java}
libraries=$jars/jackson-databind.jar:$jars/jackson-core.jar:$jars/jackson-annotations.jar
junit=$jars/junit-jupiter-api.jar:$jars/junit-platform-commons.jar:$jars/opentest4j.jar:$jars/apiguardian-api.jar
rm -rf -- "$folder/classes"
mkdir -p -- "$folder/classes"
find src/main/java -name '*.java' -print0 |
    xargs -0 javac --release 17 -Xlint:all,-requires-automatic,-classfile -Werror -encoding UTF-8 -d "$folder/classes" -cp "$libraries:$junit"
jar --create --file "$folder/touchstone-junit5.jar" -C "$folder/classes" .
echo "$folder/touchstone-junit5.jar"
