import ArgumentParser
import CTAP
import Decoding
import DeviceProfiles
import Documents
import KnownKeys
internal import ProfileFiles
import Tables
import Wording

/// `touchstone decode`.
struct DecodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show pasted bytes or a log member by member, with the violated rules.",
        discussion: """
            INPUT is the bytes themselves, a file that has them, or - for standard input; without INPUT, standard input \
            is read. It is hexadecimal, base64, base64url, a dump, an array of a program, CBOR in diagnostic notation, PEM, \
            JSON, or a log: the debug output of libfido2 (FIDO_DEBUG=1), pcscd (--apdu), python-fido2, Windows, OpenSK, \
            usbmon and others.

            The command decodes CTAP2 requests and responses, CTAPHID reports, APDUs, whole exchanges, authenticator \
            data, attestation objects, COSE keys, client data, certificates, public keys, signatures, keys of OpenSSH, large blobs and \
            credentials in JSON. \
            An answer to getInfo is compared with the known keys and the profiles.

            The most specific kind that fits is taken; --as forces another one. --to names the command that a \
            response answers, such as ClientPIN. Secrets are masked unless --secrets is given. Exit status 2 means that \
            the input or a part of it cannot be read, such as a damaged line or a message that ends early. Broken rules \
            of what was read do not change the exit status.
            """)

    @Argument(
        help: ArgumentHelp("The bytes, or a file that has them; - for standard input.", valueName: "input"),
        completion: .file())
    var input: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("The kind of the bytes.", valueName: "kind"))
    var kind: DecodedKind?

    @Option(
        name: .customLong("to"), help: ArgumentHelp("The command that a response answers.", valueName: "command"),
        transform: Self.command)
    var command: CTAPCommand?

    @Flag(help: "Show the values of secrets, such as tokens and encrypted PINs.")
    var secrets = false

    @OptionGroup var output: OutputOptions

    private struct Report: Encodable {
        let input: DecodedInput
        let getInfo: InfoDescription?
        let comparison: InfoFindings?
    }

    func run() async throws {
        let input = input ?? "-"
        let (name, content) = try DecodeSource.content(of: input)
        var decoded: DecodedInput
        do {
            decoded = try DecodedInput(content, as: kind, answering: command)
        } catch {
            let file = name == nil ? DecodeSource.absence(of: input) : nil
            let text = String(validating: content, as: UTF8.self) ?? ""
            let lookup = LookupAdvice.errors(text).map { "; look up an error with \($0)" } ?? ""
            throw CommandError((name.map { "\($0): \(error)" } ?? "\(error)\(file ?? "")") + lookup, .badInput)
        }
        if let command, decoded.kind != .response, decoded.kind != .getInfo || command != .getInfo {
            throw CommandError(
                "--to \(command.name ?? "") has no effect: the input is \(decoded.kind.words); leave the option out",
                .badInput)
        }
        if !secrets { decoded.parts = decoded.parts.map(\.masked) }
        var comparison: InfoFindings?
        var description: InfoDescription?
        if let info = decoded.info {
            description = try InfoDescription(info)
            comparison = try await InfoFindings(info, in: .standard(), .standard(), uncertain: decoded.uncertain)
        }
        let report = Report(input: decoded, getInfo: description, comparison: comparison)
        try output.write(report) {
            DecodedDescription.lines(decoded, description, comparison)
                + (Self.status(decoded, input).map { ["", "The causes of this status: \($0)"] } ?? [])
        }
        if decoded.isDamaged { throw ExitCode(Failure.Status.badInput.rawValue) }
    }

    /// The command that looks up an answer of a status alone; nil for other bytes.
    private static func status(_ decoded: DecodedInput, _ input: String) -> String? {
        let isStatus = [.response, .answer].contains(decoded.kind) && decoded.parts.map(\.length).reduce(0, +) <= 2
        guard isStatus, input != "-" else { return nil }
        // Without its prefix a number of two digits is also decimal.
        let isPlain = input.count <= 4 && input.count.isMultiple(of: 2) && input.allSatisfy(\.isHexDigit)
        return LookupAdvice.errors(isPlain ? "0x" + input : input)
    }

    /// The command of a name, such as `getInfo`, or of a number, such as `0x04`.
    private static func command(_ text: String) throws -> CTAPCommand {
        let named = CTAPCommand.all.first { $0.name?.lowercased() == text.lowercased() }
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        if let command = named ?? UInt8(digits, radix: 16).map({ CTAPCommand(rawValue: $0) }), command.name != nil {
            return command
        }
        let names = CTAPCommand.all.compactMap(\.name)
        throw ValidationError(
            "\"\(text)\" is not a command of CTAP2"
                + NearestNames.question(text, among: names, orElse: "give one of \(names.joined(separator: ", "))"))
    }
}

extension DecodedKind: ExpressibleByArgument {}
