internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorBioEnrollment (CTAP 2.3 §6.7) and its preview.
    package static let bioEnrollment = Group(
        "bioEnrollment", "authenticatorBioEnrollment",
        EnrolmentCommand.all.flatMap { EnrolmentCases($0).all + FingerCases($0).all })
}

/// One of the two command bytes of fingerprint enrolment.
struct EnrolmentCommand: Sendable {
    let command: CTAPCommand
    let option: InfoOption
    private let prefix: String
    private let words: String

    static let all = [
        EnrolmentCommand(
            command: .bioEnrollment, option: .bioEnroll, prefix: "bioEnrollment", words: "Fingerprint enrolment"),
        EnrolmentCommand(
            command: .bioEnrollmentPreview, option: .userVerificationMgmtPreview, prefix: "bioEnrollment.preview",
            words: "The preview of fingerprint enrolment"),
    ]

    func make(
        _ name: String, _ title: String, _ section: String, level: Level = .must, from start: StartingState = .any,
        effects: Set<CaseEffect> = [], needs: [AuthenticatorNeed] = [], person: [ManualAct] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "\(prefix).\(name)", "\(words) \(title).",
            command == .bioEnrollment ? .ctap(section) : Clause(.ctap21, section), level: level, from: start,
            needs: [.option(option)] + needs, effects: effects, person: person, steps: steps)
    }

    func token(_ bench: AuthenticatorBench) async throws -> HeldToken {
        try await bench.pinToken(bench.has(.pinUvAuthToken) ? .bioEnrollment : nil)
    }

    func send(
        _ bench: AuthenticatorBench, _ subcommand: BioEnrollmentSubcommand, _ parameters: CBOR.Map? = nil,
        _ token: HeldToken?
    ) async throws -> AuthenticatorAnswer {
        try await bench.enrol(subcommand, parameters, token: token, command: command)
    }

    /// Enrols a finger with good samples, and returns its template ID.
    func enrolFinger(_ bench: AuthenticatorBench, _ token: HeldToken) async throws -> [UInt8] {
        let first = try bench.members(of: try await send(bench, .enrollBegin, nil, token))
        let id = try bench.bytes(first, 0x04, "templateId")
        var left = try bench.number(first, 0x06, "remainingSamples")
        for _ in 0..<100 where left > 0 {
            let next = try bench.members(of: try await send(bench, .enrollCaptureNextSample, [0x01: .bytes(id)], token))
            left = try bench.number(next, 0x06, "remainingSamples")
        }
        try bench.require(left == 0, "an enrolment that ends", seen: "\(left) samples left after 100")
        return id
    }

    /// The enrolled fingers: their IDs with their names.
    func fingers(_ bench: AuthenticatorBench, _ token: HeldToken) async throws -> [[UInt8]: String] {
        let members = try bench.members(of: try await send(bench, .enumerateEnrollments, nil, token))
        guard case .array(let infos)? = members[0x07] else {
            throw bench.fail("templateInfos as an array", seen: "none")
        }
        var fingers: [[UInt8]: String] = [:]
        for case .map(let info) in infos {
            guard case .bytes(let id)? = info[0x01] else { continue }
            if case .text(let name)? = info[0x02] { fingers[id] = name } else { fingers[id] = "" }
        }
        return fingers
    }
}
