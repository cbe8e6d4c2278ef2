import ArgumentParser
import CBOR
import CTAP
import Decoding
import DeviceProfiles
import Documents
import Foundation
import KeyBench
import SecurityKeys
import Wording
internal import YAMLFiles

/// `touchstone profiles new`.
struct ProfilesNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a profile whose device answers getInfo as a key does.",
        discussion: """
            --from is a key, such as usb, nfc or udp:127.0.0.1:8111, or an answer to getInfo: a file or bytes in any form that \
            `touchstone decode` reads. The command names the members that a profile cannot express. A value that getInfo does \
            not have, such as a timeout, is a guess, listed under 'unverified'. An existing file is not changed.
            """)

    @Argument(help: "The file to write, such as my-key.yaml; its name is the profile's.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The key, or its answer to getInfo.", valueName: "key, file or bytes"))
    var from: String

    func run() async throws {
        let target = try NewFile(file, of: "profile")
        let name = ResourceName.name(ofFile: file)
        let (answer, usb, uncertain) = try await answer()
        let draft: ProfileDraft
        do {
            draft = try await ProfileDraft(
                answer, name: name, usb: usb, source: "getInfo of \(from.prefix(80))", uncertain: uncertain)
        } catch let error as CBOR.AccessError {
            throw CommandError(
                "the answer to getInfo cannot be read: \(error); `touchstone decode` shows its members", .badInput)
        } catch let error as SourceError {
            throw CommandError(
                "no profile can have this answer: \(error.message); correct the answer, or write the profile by hand",
                .badInput)
        }
        try target.write(draft.text)
        Terminal.write("\(file) is written; start it with `touchstone device start \(target.argument)`")
        if !draft.states.isEmpty {
            Terminal.write("The key is in a state that a profile does not have; a new device is in another one:")
            write(draft.states)
        }
        guard !draft.differences.isEmpty else {
            let apart = draft.states.isEmpty ? "" : " apart from this state"
            return Terminal.write("The device's answer to getInfo is the same\(apart).")
        }
        Terminal.write(
            "A profile cannot express \(Wording.counted(draft.differences.count, "member")) of the answer; the device answers differently:"
        )
        write(draft.differences)
    }

    private func write(_ rows: [ProfileDraft.Difference]) {
        for row in rows { Terminal.write("  \(row.name): \(row.value); the profile: \(row.profile)") }
    }

    private func answer() async throws -> (CBOR.Value, USBIdentity?, Set<InfoMember>) {
        if DeviceSelector(from) != nil {
            let device = try await KeyOptions.onlyDevice(from, seed: nil)
            let bytes = try await Interruption.cancelling {
                try await device.withKey(by: .direct) { key in try await key.getInfo() }
            }
            return (try CBOR.decode(bytes, options: .attestation), device.usbIdentity, [])
        }
        let content = try DecodeSource.content(of: from)
        let decoded: DecodedInput
        do {
            decoded = try DecodedInput(content.content)
        } catch {
            throw CommandError("\(content.name ?? "--from"): \(error)", .badInput)
        }
        guard let info = decoded.info else {
            throw CommandError(
                "\(content.name ?? "--from") is \(decoded.kind.words), not an answer to getInfo; give an answer, or a key such as usb",
                .badInput)
        }
        return (info, nil, decoded.uncertain)
    }
}
