internal import CBOR
internal import CTAP
internal import Conformance

/// Listing, naming and removing fingers (CTAP 2.3 §6.7.6 to §6.7.8).
struct FingerCases {
    private let command: EnrolmentCommand

    init(_ command: EnrolmentCommand) { self.command = command }

    @CaseTable var all: [Case] {
        make("enumerate.one", "lists an enrolled finger", "6.7.6") { bench, command, id in
            let fingers = try await command.fingers(bench, try await command.token(bench))
            bench.expect(Array(fingers.keys) == [id], "the one finger", seen: "\(fingers.count)")
        }
        make("setFriendlyName.listed", "lists a finger with its new name", "6.7.7") { bench, command, id in
            let token = try await command.token(bench)
            bench.expect(
                try await command.send(bench, .setFriendlyName, [0x01: .bytes(id), 0x02: "thumb"], token), .ok)
            let name = try await command.fingers(bench, token)[id]
            bench.expect(name == "thumb", "the name thumb", seen: name ?? "no such finger")
        }
        make("setFriendlyName.tooLong", "refuses a name that is longer than the sensor's limit", "6.7.7") {
            bench, command, id in
            let info = try bench.members(of: try await command.send(bench, .getFingerprintSensorInfo, nil, nil))
            guard let longest = try? bench.number(info, 0x08, "maxTemplateFriendlyName") else {
                throw CaseStop.notApplicable("the sensor declares no longest name")
            }
            bench.expect(
                try await command.send(
                    bench, .setFriendlyName,
                    [0x01: .bytes(id), 0x02: .text(String(repeating: "n", count: longest + 1))],
                    try await command.token(bench)), .invalidLength, .invalidParameter)
        }
        make("setFriendlyName.longest", "accepts a name of the sensor's longest length", "6.7.7") {
            bench, command, id in
            let info = try bench.members(of: try await command.send(bench, .getFingerprintSensorInfo, nil, nil))
            guard let longest = try? bench.number(info, 0x08, "maxTemplateFriendlyName") else {
                throw CaseStop.notApplicable("the sensor declares no longest name")
            }
            bench.expect(
                try await command.send(
                    bench, .setFriendlyName, [0x01: .bytes(id), 0x02: .text(String(repeating: "n", count: longest))],
                    try await command.token(bench)), .ok)
        }
        make("setFriendlyName.unknown", "refuses to name an unknown finger", "6.7.7") { bench, command, _ in
            bench.expect(
                try await command.send(
                    bench, .setFriendlyName, [0x01: .bytes([0x7E, 0x7E, 0x7E]), 0x02: "thumb"],
                    try await command.token(bench)), .invalidOption)
        }
        make("setFriendlyName.missingName", "refuses to name a finger without a name", "6.7.7") { bench, command, id in
            bench.expect(
                try await command.send(bench, .setFriendlyName, [0x01: .bytes(id)], try await command.token(bench)),
                .missingParameter)
        }
        make("setFriendlyName.missingID", "refuses to name a finger without a template ID", "6.7.7") {
            bench, command, _ in
            bench.expect(
                try await command.send(bench, .setFriendlyName, [0x02: "thumb"], try await command.token(bench)),
                .missingParameter)
        }
        make("remove.gone", "removes a finger", "6.7.8") { bench, command, id in
            let token = try await command.token(bench)
            bench.expectEmptySuccess(try await command.send(bench, .removeEnrollment, [0x01: .bytes(id)], token))
            bench.expect(try await command.send(bench, .enumerateEnrollments, nil, token), .invalidOption)
            try await bench.expectOption(command.option, false)
        }
        make("remove.unknown", "refuses to remove an unknown finger", "6.7.8") { bench, command, _ in
            bench.expect(
                try await command.send(
                    bench, .removeEnrollment, [0x01: .bytes([0x7E, 0x7E, 0x7E])],
                    try await command.token(bench)), .invalidOption)
        }
        make("remove.missing", "refuses to remove a finger without a template ID", "6.7.8") { bench, command, _ in
            bench.expect(
                try await command.send(bench, .removeEnrollment, nil, try await command.token(bench)),
                .missingParameter)
        }
        command.make(
            "enumerate.none", "refuses to list fingers while none is enrolled", "6.7.6", from: .freshPIN,
            effects: [.changesSettings]
        ) { [command] bench in
            bench.expect(
                try await command.send(bench, .enumerateEnrollments, nil, try await command.token(bench)),
                .invalidOption)
        }
    }

    /// A case with one enrolled finger.
    private func make(
        _ name: String, _ title: String, _ section: String,
        _ steps: @escaping @Sendable (AuthenticatorBench, EnrolmentCommand, [UInt8]) async throws -> Void
    ) -> Case {
        command.make(name, title, section, from: .freshPIN, effects: [.changesSettings], person: [.verify]) {
            [command] bench in
            let id = try await command.enrolFinger(bench, try await command.token(bench))
            try await steps(bench, command, id)
        }
    }
}
