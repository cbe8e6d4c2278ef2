internal import CBOR
internal import CTAP
internal import Conformance

/// Listing, naming and removing fingers (CTAP 2.3 §6.7.6 to §6.7.8).
struct FingerCases {
    private let command: EnrolmentCommand

    init(_ command: EnrolmentCommand) { self.command = command }

    var all: [AuthenticatorCase] {
        [
            make("enumerate.one", "lists an enrolled finger", "6.7.6") {
                platform, command, id in
                let fingers = try await command.fingers(platform, try await command.token(platform))
                platform.recorder.expect(Array(fingers.keys) == [id], "the one finger", seen: "\(fingers.count)")
            },
            make("setFriendlyName.listed", "lists a finger with its new name", "6.7.7") {
                platform, command, id in
                let token = try await command.token(platform)
                platform.expect(
                    try await command.send(platform, .setFriendlyName, [0x01: .bytes(id), 0x02: "thumb"], token),
                    [.ok])
                let name = try await command.fingers(platform, token)[id]
                platform.recorder.expect(name == "thumb", "the name thumb", seen: name ?? "no such finger")
            },
            make("setFriendlyName.tooLong", "refuses a name that is longer than the sensor's limit", "6.7.7") {
                platform, command, id in
                let info = try platform.members(
                    of: try await command.send(platform, .getFingerprintSensorInfo, nil, nil))
                guard let longest = try? platform.number(info, 0x08, "maxTemplateFriendlyName") else {
                    throw CaseStop.notApplicable("the sensor declares no longest name")
                }
                platform.expect(
                    try await command.send(
                        platform, .setFriendlyName,
                        [0x01: .bytes(id), 0x02: .text(String(repeating: "n", count: longest + 1))],
                        try await command.token(platform)), [.invalidLength, .invalidParameter])
            },
            make("setFriendlyName.longest", "accepts a name of the sensor's longest length", "6.7.7") {
                platform, command, id in
                let info = try platform.members(
                    of: try await command.send(platform, .getFingerprintSensorInfo, nil, nil))
                guard let longest = try? platform.number(info, 0x08, "maxTemplateFriendlyName") else {
                    throw CaseStop.notApplicable("the sensor declares no longest name")
                }
                platform.expect(
                    try await command.send(
                        platform, .setFriendlyName,
                        [0x01: .bytes(id), 0x02: .text(String(repeating: "n", count: longest))],
                        try await command.token(platform)), [.ok])
            },
            make("setFriendlyName.unknown", "refuses to name an unknown finger", "6.7.7") { platform, command, _ in
                platform.expect(
                    try await command.send(
                        platform, .setFriendlyName, [0x01: .bytes([0x7E, 0x7E, 0x7E]), 0x02: "thumb"],
                        try await command.token(platform)), [.invalidOption])
            },
            make("setFriendlyName.missingName", "refuses to name a finger without a name", "6.7.7") {
                platform, command, id in
                platform.expect(
                    try await command.send(
                        platform, .setFriendlyName, [0x01: .bytes(id)], try await command.token(platform)),
                    [.missingParameter])
            },
            make("remove.gone", "removes a finger", "6.7.8") { platform, command, id in
                let token = try await command.token(platform)
                platform.expect(
                    try await command.send(platform, .removeEnrollment, [0x01: .bytes(id)], token), [.ok])
                platform.expect(
                    try await command.send(platform, .enumerateEnrollments, nil, token), [.invalidOption])
                try await platform.expectOption(command.option, false)
            },
            make("remove.unknown", "refuses to remove an unknown finger", "6.7.8") { platform, command, _ in
                platform.expect(
                    try await command.send(
                        platform, .removeEnrollment, [0x01: .bytes([0x7E, 0x7E, 0x7E])],
                        try await command.token(platform)), [.invalidOption])
            },
            make("remove.missing", "refuses to remove a finger without a template ID", "6.7.8") {
                platform, command, _ in
                platform.expect(
                    try await command.send(platform, .removeEnrollment, nil, try await command.token(platform)),
                    [.missingParameter])
            },
            command.make(
                "enumerate.none", "refuses to list fingers while none is enrolled", "6.7.6", from: .freshPIN,
                effects: [.changesSettings]
            ) { [command] platform in
                platform.expect(
                    try await command.send(platform, .enumerateEnrollments, nil, try await command.token(platform)),
                    [.invalidOption])
            },
        ]
    }

    /// A case with one enrolled finger.
    private func make(
        _ name: String, _ title: String, _ section: String,
        _ steps: @escaping @Sendable (Platform, EnrolmentCommand, [UInt8]) async throws -> Void
    ) -> AuthenticatorCase {
        command.make(
            name, title, section, from: .freshPIN, effects: [.changesSettings], person: [.verify]
        ) { [command] platform in
            let id = try await command.enrolFinger(platform, try await command.token(platform))
            try await steps(platform, command, id)
        }
    }
}
