import Foundation
import MachineNeeds
import Testing

/// A computer that has every part except some.
private struct ImaginedMachine: MachineLookout {
    var surroundings = FindingTests.here(.debian)
    var sightings: [MachineNeed: Sighting] = [:]

    func look(at need: MachineNeed) async -> Sighting { sightings[need] ?? .usable("here") }

    static func without(_ needs: MachineNeed...) -> ImaginedMachine {
        ImaginedMachine(sightings: needs.reduce(into: [:]) { $0[$1] = .absent("gone") })
    }
}

@Suite("The report about a computer")
struct SurveyTests {
    @Test func aUseIsReadyWithAllItsNeeds() async {
        let report = await MachineSurvey.report(MachineUse.allCases, by: ImaginedMachine())
        #expect(report.isReadyForAll && report.findings.map(\.need) == MachineNeed.allCases)
        #expect(report.uses.allSatisfy { $0.lacks.isEmpty && $0.without.isEmpty })
    }

    @Test(arguments: [
        (MachineNeed.chromium, [MachineUse.browser, .phone, .devtools], [MachineUse.webdriver]),
        (.display, [.browser], [.devtools]),
        (.xDisplay, [.phone], [.scan]),
        (.uhid, [.virtualUSB], []),
        (.pcscd, [.nfc, .virtualNFC], []),
        (.udevRule, [], [.usb, .virtualUSB]),
        (.runningDevices, [.phone, .virtualUSB, .virtualNFC, .udp, .hybrid, .scan], []),
        (.servePort, [.serve], []),
        (.devicePort, [.udp], []),
        (.bluetooth, [.bluetooth], []),
        (.firefox, [], [.webdriver]),
    ]) func aMissingPartStopsTheUsesThatNeedIt(_ need: MachineNeed, _ stopped: [MachineUse], _ poorer: [MachineUse])
        async
    {
        let report = await MachineSurvey.report(MachineUse.allCases, by: ImaginedMachine.without(need))
        #expect(report.uses.filter { $0.lacks == [need] }.map(\.use) == stopped)
        #expect(report.uses.filter { $0.without == [need] }.map(\.use) == poorer)
        #expect(report.uses.filter { !$0.isReady }.map(\.use) == stopped)
        #expect(report.isReadyForAll == stopped.isEmpty)
    }

    @Test func aReportOfOneUseLooksAtItsPartsOnly() async {
        let report = await MachineSurvey.report([.nfc], by: ImaginedMachine.without(.reader, .chromium))
        #expect(report.findings.map(\.need) == [.keptFiles, .pcscd, .reader])
        #expect(!report.isReady(for: .nfc) && !report.isReady(for: .serve))
    }

    @Test func aReportIsJSONWithTheNamesOfTheCommandLine() async throws {
        let report = await MachineSurvey.report([.virtualUSB], by: ImaginedMachine.without(.uhid))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(report), as: UTF8.self)
        #expect(text.contains(#""lacks":["uhid"],"name":"virtual-usb","ready":false,"without":[]"#))
        #expect(text.contains(#""name":"uhid","remedies":[{"command":"sudo modprobe uhid""#))
        #expect(text.contains(#""state":"missing","used-by":["virtual-usb"]"#))
    }

    @Test(arguments: [
        ([MachineNeed](), "touchstone browser --phone iphone-face-id", "touchstone keys info --device usb"),
        ([.usbKey], "touchstone browser --phone iphone-face-id", "touchstone keys info --device nfc"),
        (
            [.usbKey, .reader], "touchstone browser --phone iphone-face-id",
            "touchstone conformance authenticator --device virtual:solo-2"
        ),
        ([.codeReader], "touchstone browser", "touchstone keys info --device usb"),
        ([.chromium], "touchstone doctor --for browser", "touchstone keys info --device usb"),
        ([.display, .xDisplay], "touchstone doctor --for browser", "touchstone keys info --device usb"),
    ]) func theFirstStepsAreThoseThatWorkHere(_ missing: [MachineNeed], _ browser: String, _ key: String) async {
        let machine = ImaginedMachine(sightings: missing.reduce(into: [:]) { $0[$1] = .absent("gone") })
        let steps = FirstStep.three(on: await MachineSurvey.report(FirstStep.deciding, by: machine))
        #expect(steps.map(\.command).dropFirst() == [browser, key])
        #expect(steps.count == 3)
    }

    @Test(arguments: [
        ("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n", Distribution.debian),
        ("ID=ubuntu\nID_LIKE=debian\n", .ubuntu), ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", .ubuntu),
        ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", .fedora), ("ID=manjaro\nID_LIKE=arch\n", .arch),
        ("# ID=debian\nID=nixos\n", .other), ("", .other), ("ID\n=\nID=", .other),
    ]) func aSystemIsKnownByItsReleaseFile(_ text: String, _ distribution: Distribution) {
        #expect(Distribution(osRelease: text) == distribution)
    }

    @Test(arguments: UsualPort.allCases) func theUseOfAPortNeedsIt(_ port: UsualPort) {
        #expect(port.use.needs.contains { $0.port == port })
    }

    @Test func anErrorOfACommandLeadsToTheReport() {
        #expect(
            MachineNeed.codeReader.absence(for: .scan)
                == "zbarimg, which reads QR codes, was not found on PATH; install it (on Debian, apt install zbar-tools); "
                + "`touchstone doctor --for scan` says more")
    }
}
