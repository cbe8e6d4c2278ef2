import ArgumentParser
import AuthenticatorSuite
import CTAP
import Conformance
import Foundation
import KeptAnswers
import KeyBench
import KnownKeys
import Machine
import WebAuthn
import Wording

/// `touchstone conformance authenticator`.
struct ConformanceAuthenticatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticator", abstract: "Check an authenticator against CTAP, case by case.",
        discussion: """
            Without --destructive nothing is erased, no PIN is set and no try is spent; credentials that a case adds are \
            deleted again. With it the key is reset several times, and every account that is registered with it is lost; \
            a simulated device, virtual:PROFILE, is a new one and needs no permission.

            Exit status 1 if a case fails, 2 for wrong options, 3 if the device is not found or lost.
            """)

    @Option(help: "The authenticator: \(DeviceSelector.spellings).", completion: .selectors)
    var device: String

    @OptionGroup var phones: PhoneOptions

    @OptionGroup var options: ConformanceRunOptions

    @Flag(help: "Also perform cases that erase the key, set its PIN or spend tries.")
    var destructive = false

    @Flag(help: "Leave out the cases that need a person, such as one who unplugs the key.")
    var unattended = false

    @Flag(
        help: """
            Touches come by themselves, from a machine or from a simulated user who consents: cases that withhold one \
            are not run.
            """)
    var alwaysTouched = false

    @Option(
        help: ArgumentHelp(
            """
            A command that touches the key, such as one that switches a relay; it runs when the key asks for a touch, except \
            in the cases that withhold one.
            """, valueName: "command"))
    var touch: String?

    @Option(
        help: ArgumentHelp("A command that ends the touch; it runs after the answer.", valueName: "command"))
    var release: String?

    @Option(
        help: ArgumentHelp(
            """
            A command that unplugs a key on USB and plugs it in again, such as one that switches its port, or that \
            starts a simulator on UDP anew; otherwise a person is asked to, and a simulator gets the power-cycle report.
            """, valueName: "command"))
    var replug: String?

    @Option(
        help: ArgumentHelp(
            """
            The longest wait for one answer of a key on USB or UDP, the touch included, such as 40s; default: 3 minutes. \
            The run stops waiting for a silent key after 5 seconds. With --device hybrid:, the time to scan a code; \
            default: 1 minute.
            """, valueName: "span"),
        transform: SpanArgument.read)
    var timeout: SpanArgument?

    @Option(help: "Read the key's PIN from the first line of this file; - for standard input. Or set $TOUCHSTONE_PIN.")
    var pinFile: String?

    @Option(
        help: ArgumentHelp(
            """
            Compare the authenticator with its metadata statement: a JSON file, such as the output of \
            `touchstone attestation metadata`.
            """, valueName: "file"))
    var metadata: String?

    @OptionGroup var confirmation: ConfirmationOptions

    @Option(help: "Random seed of a simulated device.")
    var seed: UInt64?

    func validate() throws {
        let selector = DeviceSelector(device)
        let (isVirtual, hasReports, hasLimit) =
            switch selector {
            case .virtual?: (true, false, false)
            case .nfc?: (false, false, false)
            case .hybrid?, .link?: (false, false, true)
            default: (false, true, true)
            }
        try phones.check([selector])
        try OptionRule.need("a virtual:PROFILE device", isVirtual, for: ["--seed": seed != nil])
        try OptionRule.need("a key on USB or UDP", hasReports, for: ["--replug": replug != nil])
        try OptionRule.need("a key on USB or UDP", hasReports, for: ["--touch": touch != nil])
        try OptionRule.need("--touch", touch != nil, for: ["--release": release != nil])
        guard touch == nil || !alwaysTouched else {
            throw ValidationError("--always-touched and --touch exclude each other; leave one out.")
        }
        try OptionRule.need("a key on USB or UDP, or a phone", hasLimit, for: ["--timeout": timeout != nil])
        guard timeout.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--timeout must be more than zero; leave it out for three minutes.")
        }
        try OptionRule.need("--destructive", destructive, for: ["--yes": confirmation.yes])
    }

    func run() async throws {
        let suite = AuthenticatorSuite.all
        try options.check(suite)
        let stated = try metadata.map(Self.statement)
        let found = try await KeyOptions.onlyDevice(device, seed: seed, phones: phones, limit: timeout?.duration)
        try await Interruption.cancelling {
            var permission = RunPermission()
            permission.isDestructive = destructive || found.isSimulated
            permission.hasPerson = !unattended || found.isSimulated
            if alwaysTouched || touch != nil { permission.actsByMachine.insert(.touch) }
            if touch != nil { permission.actsByMachine.insert(.withholdTouch) }
            if replug != nil { permission.actsByMachine.insert(.replug) }
            if destructive, !found.isSimulated { try confirm(found) }
            var settings = AuthenticatorBench.Settings()
            settings.pin = try SecretInput(name: "PIN", file: pinFile, option: "--pin-file", variable: .pin).stored()
            settings.mayChange = destructive
            settings.seed = seed
            settings.metadata = stated
            settings.isAlwaysTouched = alwaysTouched
            settings.isAttended = permission.hasPerson
            if let timeout { settings.answerLimit = timeout.duration }
            settings.replug = Self.act("--replug", replug)
            if let touch = Self.act("--touch", touch) {
                settings.touching = .init(touch: touch, release: Self.act("--release", release))
            }
            settings.instruct = { instruction in
                RunProgress.clear()
                Terminal.writeError("→ \(instruction)")
            }
            let bench: AuthenticatorBench
            do {
                bench = try await AuthenticatorBench.open(found, settings: settings)
            } catch let error as CTAPDeviceError {
                var subject = ConformanceSubject(
                    title: found.title, facts: [:], command: Self.command(found, repeatedOptions))
                if destructive { subject.mayErase = true }
                try options.writeUnreached(suite, subject, because: error)
                throw error
            }
            try await closing(bench.close) {
                try await Self.check(bench)
                await bench.eraseUnknownPIN()
                if !found.isSimulated, permission.hasPerson {
                    announce(try options.performed(of: suite, on: bench, permission), permission.actsByMachine)
                }
                var subject = bench.subject(found, options: repeatedOptions)
                if destructive { subject.mayErase = true }
                try await options.run(suite, on: bench, subject, permission) { report in
                    try compare(report, with: bench, found)
                }
            }
        }
    }

    private static func act(_ option: String, _ text: String?) -> (@Sendable () async throws -> Void)? {
        guard let text else { return nil }
        let command = ShellCommand(option: option, text: text)
        return { try await command.perform() }
    }

    /// Checks the PIN before a case needs it.
    private static func check(_ bench: AuthenticatorBench) async throws {
        guard let (status, retries) = try await bench.refusalOfGivenPIN() else { return }
        let left = "\(Wording.counted(retries, "try", "tries")) left"
        switch status {
        case nil:
            throw CommandError(
                "\(left) for the PIN, and a wrong one blocks the key; use the right one first, with `touchstone keys "
                    + "credentials list --last-try`", .badInput)
        case .pinInvalid: throw CommandError("the PIN is wrong; \(left)", .badInput)
        case let status?:
            let advice = KeyAdvice.sentence(for: status) ?? "the key refuses it with \(status)"
            throw CommandError("the PIN was not accepted, \(left): \(advice)", .badInput)
        }
    }

    /// Shows where a known key differs from the kept answers of its virtual twin.
    private func compare(_ report: ConformanceReport, with bench: AuthenticatorBench, _ found: BenchDevice) throws {
        guard !options.output.json,
            let key = try KnownKeyLibrary.standard().key(with: bench.info.aaguid, usb: found.usbIdentity)?.name,
            let answers = KeptAnswers.shared.answers(of: key)
        else { return }
        let comparison = RunComparison(report, with: answers, of: KeptAnswers.subject(key))
        let count = comparison.differences.count
        Terminal.write(
            "Compared with the known \(key): \(Wording.counted(comparison.rows.count, "case")), "
                + (count == 0 ? "no difference" : Wording.counted(count, "difference")))
        if count > 0 { Terminal.write(comparison.table("THIS KEY", "KNOWN")) }
    }

    private static let longestStatement = 1 << 20

    private static func statement(_ file: String) throws -> StatedMetadata {
        guard let bytes = BoundedFile.read(file, limit: longestStatement), bytes.count <= longestStatement else {
            throw CommandError(
                "--metadata \(file): the file cannot be read, or has more than \(longestStatement) bytes", .badInput)
        }
        return try StatedMetadata(bytes, file: file)
    }

    private func confirm(_ found: BenchDevice) throws {
        try confirmation.confirm(
            "This will permanently erase everything on \(found.title) (\(found.selector)): credentials, PIN, fingers, large blobs.",
            word: "erase")
    }

    /// The options of the run that belong to each of its cases, for the command that repeats one.
    private var repeatedOptions: [String] {
        func quoted(_ option: String, _ value: String?) -> String? {
            value.map { "\(option) '\($0.replacing("'", with: "'\\''"))'" }
        }
        return [
            seed.map { "--seed \($0)" }, quoted("--metadata", metadata), quoted("--pin-file", pinFile),
            quoted("--touch", touch), quoted("--release", release), quoted("--replug", replug),
            timeout.map { "--timeout \($0.text)" },
            destructive ? "--destructive" : nil, confirmation.yes ? "--yes" : nil,
            alwaysTouched ? "--always-touched" : nil,
            unattended ? "--unattended" : nil,
        ].compactMap(\.self)
    }

    private func announce(_ cases: [CaseDescription], _ byMachine: Set<ManualAct>) {
        let acts = cases.flatMap(\.person).filter { !byMachine.contains($0) }
        let counts = ManualAct.allCases.map { act in (act, acts.count { $0 == act }) }.filter { $0.1 > 0 }
        guard !counts.isEmpty else { return }
        Terminal.writeError(
            "At most: " + counts.map { "\($0.0.rawValue): \(Wording.counted($0.1, "time"))" }.joined(separator: "; ")
                + ".")
    }
}

extension ConformanceAuthenticatorCommand {
    /// The command that performs cases on a device.
    static func command(_ device: BenchDevice, _ options: [String]) -> String {
        (["touchstone conformance authenticator --device '\(device.selector)'"] + options).joined(separator: " ")
    }
}

extension AuthenticatorBench {
    /// - Parameter options: follow the device in the command that repeats a case.
    func subject(_ device: BenchDevice, options: [String] = []) -> ConformanceSubject {
        var facts =
            isInfoAssumed
            ? ["getInfo": "not readable"]
            : ["AAGUID": info.aaguid.description, "versions": info.versions.joined(separator: " ")]
        if let version = info.firmwareVersion { facts["firmware"] = InfoWords.firmware(version) }
        return ConformanceSubject(
            title: device.title, facts: facts,
            command: ConformanceAuthenticatorCommand.command(device, options))
    }
}
