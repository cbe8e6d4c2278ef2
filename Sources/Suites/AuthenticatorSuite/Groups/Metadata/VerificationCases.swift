internal import Attestation
internal import CTAP
internal import Conformance
internal import Documents

extension MetadataCases {
    private typealias Method = MetadataStatement.UserVerificationMethod

    private static let details = "userVerificationDetails"

    @CaseTable static var verification: [Case] {
        member(details, "The combinations of user verification methods are registered.") { bench, value in
            let combinations = value.array ?? []
            bench.expect(
                !combinations.isEmpty && combinations.allSatisfy { $0.array?.isEmpty == false },
                "combinations of at least one method", seen: words(value))
            let unknown = descriptors(value).map { $0["userVerificationMethod"] }.filter { name in
                name?.text.flatMap(Method.init(rawValue:)) == nil
            }
            bench.expect(unknown.isEmpty, "registered methods", seen: unknown.map { words($0) }.joined(separator: ", "))
        }
        member(details, part: "pin", "The client PIN is a method where getInfo has clientPin.", needs: [.ctap2]) {
            bench, value in compare(value, with: [.externalPasscode], bench.info.option(.clientPin) != nil, bench)
        }
        member(
            details, part: "uv", "A method inside the authenticator is stated where getInfo has uv.", needs: [.ctap2]
        ) { bench, value in compare(value, with: builtIn, bench.info.option(.uv) != nil, bench) }
        member(details, part: "presence", "The touch is a method where getInfo has up.", needs: [.ctap2]) {
            bench, value in compare(value, with: [.presence], bench.info.option(.up) != false, bench)
        }
        member(
            details, part: "modality", "The sensors are those of getInfo's uvModality.", needs: [.member(.uvModality)]
        ) { bench, value in
            let modality = bench.info.uvModality ?? 0
            let seen = modalities.filter { modality & $0.bit != 0 }.map(\.method.rawValue)
            let stated = methods(value).filter { method in modalities.contains { $0.method == method } }
            bench.expect(stated.map(\.rawValue), toEqual: seen, "the sensors")
        }
        member(
            details, part: "code", "The minimum length of the PIN is not above getInfo's.", needs: [.option(.clientPin)]
        ) { bench, value in
            let code = try code(value)
            let least = bench.info.minPINLength ?? 4
            bench.expect(
                (4...least).contains(code["minLength"]?.integer ?? 0), "minLength from 4 to \(least)",
                seen: words(code["minLength"]))
            bench.expect((code["base"]?.integer ?? 0) >= 10, "a base of at least 10", seen: words(code["base"]))
        }
        member(details, part: "retries", "The PIN's tries are not more than stated.", needs: [.option(.clientPin)]) {
            bench, value in
            guard let stated = try code(value)["maxRetries"] else {
                throw CaseStop.notApplicable("the statement has no maxRetries")
            }
            let most = stated.integer ?? 0
            bench.expect((1...8).contains(most), "maxRetries from 1 to 8", seen: words(stated))
            let answer = try await bench.send(.clientPIN, bench.retriesRequest)
            // Some authenticators count tries only while a PIN is set.
            guard answer.status != .pinNotSet else { return }
            let tries = try bench.number(try bench.members(of: answer), 0x03, "pinRetries")
            bench.expect(tries <= most, "at most \(most) tries", seen: "\(tries)")
        }
    }

    private static let builtIn: Set<Method> = [
        .fingerprint, .passcode, .voiceprint, .faceprint, .eyeprint, .pattern, .handprint,
    ]

    /// The sensors with their bits in uvModality (FIDO Registry of Predefined Values 2.2 §3.1).
    private static let modalities: [(method: Method, bit: Int)] = [
        (.fingerprint, 0x02), (.voiceprint, 0x08), (.faceprint, 0x10), (.eyeprint, 0x40), (.handprint, 0x100),
    ]

    private static func descriptors(_ value: JSONValue) -> [JSONValue] {
        (value.array ?? []).flatMap { $0.array ?? [] }
    }

    private static func methods(_ value: JSONValue) -> [Method] {
        descriptors(value).compactMap { $0["userVerificationMethod"]?.text.flatMap(Method.init(rawValue:)) }
    }

    /// Expects one of some methods exactly where the authenticator has it.
    private static func compare(
        _ value: JSONValue, with wanted: Set<Method>, _ isSupported: Bool, _ bench: AuthenticatorBench
    ) {
        let found = methods(value).filter(wanted.contains)
        let words = wanted.map(\.rawValue).sorted().joined(separator: " or ")
        bench.expect(
            found.isEmpty != isSupported, (isSupported ? "" : "no ") + words,
            seen: found.isEmpty ? "none" : found.map(\.rawValue).joined(separator: ", "))
    }

    private static func code(_ value: JSONValue) throws(CaseStop) -> JSONValue {
        let pin = descriptors(value).first { $0["userVerificationMethod"]?.text == Method.externalPasscode.rawValue }
        guard let code = pin?["caDesc"] else { throw .notApplicable("the statement has no caDesc of the PIN") }
        return code
    }
}
