internal import CBOR
internal import COSE
internal import Conformance
internal import Documents
internal import WebAuthn

/// The cases of each algorithm, with the right key and a wrong one (WebAuthn L3 §5.8.5).
enum AlgorithmCases {
    static let all: [Case] = COSE.Algorithm.supported.flatMap(cases)

    private static func cases(_ algorithm: COSE.Algorithm) -> [Case] {
        let id = "algorithms.\(name(algorithm))"
        let offered: [RelyingPartyNeed] = [.algorithm(algorithm)]
        let passkey = PasskeyForm(algorithm: algorithm)
        return [
            Case(
                "\(id).registration", "A registration with a key for \(algorithm), which is offered, is accepted.",
                .webauthn("7.1", step: "20"), needs: offered, effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.registerUnchanged(RegistrationForm(algorithm: algorithm), recorder)
            },
            Case(
                "\(id).assertion", "An assertion signed with \(algorithm) is accepted.", .webauthn("7.2", step: "21"),
                needs: offered, effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.signInUnchanged(passkey, recorder)
            },
            Case(
                "\(id).otherData", "An assertion whose \(algorithm) signature is over other data is refused.",
                .webauthn("7.2", step: "21"), needs: offered, effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.signIn(SignInForm(passkey: passkey), recorder, is: .refused) {
                    $0.message = { $0 + $1 + [0] }
                }
            },
            Case(
                "\(id).lastBit", "An assertion whose \(algorithm) signature differs in its last bit is refused.",
                .webauthn("7.2", step: "21"), needs: offered, effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.signIn(SignInForm(passkey: passkey), recorder, is: .refused) {
                    $0.changeSignature = { Array($0.dropLast()) + [($0.last ?? 0) ^ 1] }
                }
            },
            Case(
                "\(id).notOffered", "A registration with a key for \(algorithm), which is not offered, is refused.",
                .webauthn("7.1", step: "20"), needs: [.unofferedAlgorithm(algorithm)], effects: [.makesAccount]
            ) { bench, recorder in
                try await bench.requireControl(RegistrationForm())
                let (reply, _) = try await bench.registration(RegistrationForm(algorithm: algorithm)) { _ in }
                bench.judge(reply, .refused, recorder)
            },
            Case(
                "\(id).renamed",
                "A registration whose key for \(algorithm) names another offered algorithm is refused.",
                .webauthn("5.8.5"), level: .should, needs: offered, effects: [.makesAccount]
            ) { bench, recorder in
                let others = bench.declarations.algorithms.filter { !isSameKey($0, algorithm) }
                guard let other = others.first else {
                    throw CaseStop.notApplicable("every offered algorithm has keys of the same form")
                }
                try await bench.register(RegistrationForm(algorithm: algorithm), recorder, is: .refused) {
                    $0.authenticatorData.changeKey { $0[3] = .integer(other.rawValue) }
                }
            },
        ]
    }

    private static func name(_ algorithm: COSE.Algorithm) -> String {
        "\(algorithm)".replacing("-", with: "").lowercased()
    }

    /// Whether a key for one algorithm has the form of a key for the other.
    private static func isSameKey(_ one: COSE.Algorithm, _ other: COSE.Algorithm) -> Bool {
        let families: [Set<COSE.Algorithm>] = [
            [.es256, .esp256], [.es384, .esp384], [.es512, .esp512], [.edDSA, .ed25519], [.rs256, .ps256, .rs1],
        ]
        return one == other || families.contains { $0.contains(one) && $0.contains(other) }
    }
}
