#!/usr/bin/env python3
"""Writes the manual pages of touchstone from its own help: man-pages.py PROGRAM FOLDER.

touchstone.1 has the commands, touchstone-COMMAND.1 a command with its subcommands.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

program, folder = sys.argv[1], Path(sys.argv[2])


def output(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


help = json.loads(output("--experimental-dump-help"))["command"]
version = output("--version").strip()


def escaped(text):
    """Text as roff reads it: no backslash, no hyphen that breaks, no line that begins with a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def paragraphs(text):
    return "\n.PP\n".join(escaped(" ".join(part.split())) for part in re.split(r"\n\s*\n", text or "") if part.strip())


def spelling(argument):
    """The argument as the user writes it, in roff."""
    value = "\\fI" + escaped(argument.get("valueName", "")) + "\\fR"
    if argument["kind"] == "positional":
        return value + (" ..." if argument.get("isRepeating") else "")
    names = ", ".join(
        "\\fB" + escaped(("--" if name["kind"] == "long" else "-") + name["name"]) + "\\fR" for name in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} {value}"


def arguments(command):
    lines = []
    for argument in command.get("arguments", []):
        # Every command has these; the page of the program names them once.
        long = {name["name"] for name in argument.get("names", [])}
        if not argument.get("shouldDisplay", True) or long & {"help", "version"}:
            continue
        text = argument.get("abstract", "")
        if values := argument.get("allValues"):
            text += " Values: " + ", ".join(values) + "."
        if argument.get("defaultValue"):
            text += " Default: " + argument["defaultValue"] + "."
        lines += [".TP", spelling(argument), paragraphs(text) or "\\&"]
    return lines


def synopsis(path, command):
    shown = [item for item in command.get("arguments", []) if item.get("shouldDisplay", True)]
    positional = [spelling(item) for item in shown if item["kind"] == "positional"]
    parts = ["\\fB" + escaped(path) + "\\fR"]
    if any(item["kind"] != "positional" for item in shown):
        parts.append("[\\fIoptions\\fR]")
    return " ".join(parts + positional)


def children(command):
    return [item for item in command.get("subcommands", []) if item.get("shouldDisplay", True) and item["commandName"] != "help"]


def section(path, command):
    lines = [".SH " + escaped(path.upper()), synopsis(path, command), ".PP", paragraphs(command.get("abstract"))]
    if command.get("discussion"):
        lines += [".PP", paragraphs(command["discussion"])]
    lines += arguments(command)
    for child in children(command):
        lines += section(f"{path} {child['commandName']}", child)
    return lines


def page(name, lines):
    head = [f'.TH "{escaped(name.upper())}" "1" "" "touchstone {escaped(version)}" "User Commands"']
    (folder / f"{name}.1").write_text("\n".join(head + lines) + "\n")


folder.mkdir(parents=True, exist_ok=True)
for command in children(help):
    name = command["commandName"]
    lines = [".SH NAME", escaped(f"touchstone-{name} - ") + escaped(command["abstract"].rstrip(".")), ".SH DESCRIPTION"]
    lines += [synopsis(f"touchstone {name}", command)]
    if command.get("discussion"):
        lines += [".PP", paragraphs(command["discussion"])]
    lines += arguments(command)
    for child in children(command):
        lines += section(f"touchstone {name} {child['commandName']}", child)
    page(f"touchstone-{name}", lines + [".SH SEE ALSO", "\\fBtouchstone\\fR(1)"])
lines = [".SH NAME", escaped("touchstone - ") + escaped(help["abstract"].rstrip(".")), ".SH SYNOPSIS"]
lines += ["\\fBtouchstone\\fR \\fIcommand\\fR [\\fIoptions\\fR]", ".SH DESCRIPTION", paragraphs(help.get("discussion"))]
lines += [".SH COMMANDS"]
for command in children(help):
    lines += [".TP", "\\fBtouchstone\\-" + escaped(command["commandName"]) + "\\fR(1)", paragraphs(command["abstract"])]
lines += [".SH OPTIONS", ".TP", "\\fB\\-\\-help\\fR, \\fB\\-h\\fR", "Show the help of a command."]
lines += [".TP", "\\fB\\-\\-version\\fR", "Show the version."]
page("touchstone", lines)
