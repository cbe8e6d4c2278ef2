"""The list of the parts of the artifacts, in CycloneDX's form."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable

from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from .parts import Part


def component(part: Part, artifacts: list[str]) -> Component:
    licences = []
    if part.licence is not None:
        licences = [LicenseExpression(part.licence) if " " in part.licence else DisjunctiveLicense(id=part.licence)]
    return Component(
        name=part.name, version=part.version, type=ComponentType.LIBRARY, purl=PackageURL.from_string(part.purl),
        bom_ref=part.purl, licenses=licences,
        properties=[Property(name="touchstone:artifact", value=artifact) for artifact in artifacts])


def list_of_parts(version: str, parts: Iterable[tuple[Part, list[str]]], seconds: int) -> bytes:
    """The list of the parts, each with the artifacts that have it, in CycloneDX 1.6."""
    program = Component(
        name="touchstone", version=version, type=ComponentType.APPLICATION, bom_ref=f"touchstone@{version}",
        licenses=[DisjunctiveLicense(id="Apache-2.0")])
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"touchstone@{version}/{seconds}"))
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    bom.metadata.component = program
    components = [component(part, artifacts) for part, artifacts in parts]
    bom.components.update(components)
    bom.register_dependency(program, components)
    text: str = JsonV1Dot6(bom).output_as_string(indent=2)
    return f"{text}\n".encode()
