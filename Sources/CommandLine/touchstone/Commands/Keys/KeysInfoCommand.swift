import ArgumentParser
import CBOR
import CTAP
import KeyBench
import KnownKeys
import SecurityKeys
import SimulatedDevice
import Tables
import Wording

/// `touchstone keys info`.
struct KeysInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show the features of a key in words.",
        discussion: """
            Shows every member of authenticatorGetInfo, and the retries left. A key with a known AAGUID is compared \
            with its description in hardware/keys.
            """)

    @OptionGroup var options: KeyOptions

    @OptionGroup var output: OutputOptions

    private struct Report: Encodable, Sendable {
        let device: String
        let title: String
        let usb: String?
        let info: InfoDescription
        let pinRetries: Int?
        let uvRetries: Int?
        let known: KnownKeyComparison?
    }

    func run() async throws {
        let report = try await options.withDevice { device, _ in
            try await device.withKey(by: options.through, trace: options.trace(of: device)) { key in
                try await Self.report(device, key)
            }
        }
        try output.write(report) { lines(report) }
    }

    private static func report(_ device: BenchDevice, _ key: any SecurityKey) async throws -> Report {
        let bytes = try await key.getInfo()
        let answer = try CBOR.decode(bytes, options: .attestation)
        let info = try AuthenticatorInfo(cbor: answer)
        return Report(
            device: device.selector.description, title: device.title, usb: device.usbID,
            info: try InfoDescription(answer),
            // Some keys refuse getPINRetries while no PIN is set.
            pinRetries: info.option(.clientPin) == nil ? nil : try? await key.pinRetries(),
            // The question would be a phone's one command.
            uvRetries: info.option(.uv) == nil || device.takesOneCommand ? nil : try? await key.uvRetries(),
            known: try KnownKeyComparison.find(
                for: info, answer: answer, usb: device.usbIdentity, in: KnownKeyLibrary.standard()))
    }

    private func lines(_ report: Report) -> [String] {
        var lines = [Terminal.styled(report.title, .bold) + "  \(report.device)" + (report.usb.map { "  \($0)" } ?? "")]
        var table = TextTable("MEMBER", "VALUE", "MEANING")
        for row in report.info.rows { table.add(row.name, row.value, row.meaning) }
        if let retries = report.pinRetries {
            table.add("PIN retries", "\(retries)", "wrong PINs left until the key locks")
        }
        if let retries = report.uvRetries {
            table.add("UV retries", "\(retries)", "failed fingers left until the PIN is needed")
        }
        lines += table.lines + [""]
        guard let known = report.known else { return lines + ["No known key has this AAGUID (hardware/keys)."] }
        let knownAs = "Known as \(known.title)" + (known.model.map { ", \($0)" } ?? "") + "."
        lines += Paragraph.lines(knownAs, width: Terminal.width)
        guard !known.differences.isEmpty else { return lines + ["Its answer matches the known key."] }
        for difference in known.differences {
            let sentence = "  " + difference.sentence
            let text = difference.explanation.map { sentence + " (\($0))" } ?? Terminal.styled(sentence, .yellow)
            lines += Paragraph.lines(text, width: Terminal.width, hanging: 4)
        }
        return lines
    }
}
