internal import CBOR
internal import CTAP

/// A request with parameters that changes nothing and needs no touch; cases break its form.
struct SampleRequest: Sendable {
    /// The command's name in identifiers.
    let name: String
    let command: CTAPCommand
    let needs: [AuthenticatorNeed]
    /// At least two members, whose keys are small numbers.
    let parameters: @Sendable (AuthenticatorBench) -> CBOR.Map

    static let all = [
        // No authenticator has this algorithm, so that no credential is made.
        SampleRequest(name: "makeCredential", command: .makeCredential, needs: [.ctap2]) { bench in
            var parameters = bench.makeCredentialParameters()
            parameters[4] = [["alg": -65000, "type": "public-key"]]
            return parameters
        },
        SampleRequest(name: "getAssertion", command: .getAssertion, needs: [.ctap2]) { bench in
            var parameters = bench.getAssertionParameters()
            parameters[3] = [["id": .bytes(bench.randomBytes(32)), "type": "public-key"]]
            parameters[5] = ["up": false]
            return parameters
        },
        SampleRequest(name: "clientPIN", command: .clientPIN, needs: [.option(.clientPin)]) { bench in
            [1: .integer(bench.pinProtocols.first?.rawValue ?? 1), 2: 2]
        },
        SampleRequest(name: "credentialManagement", command: .credentialManagement, needs: [.optionOn(.credMgmt)]) {
            _ in [1: 1, 3: 1]
        },
        SampleRequest(name: "bioEnrollment", command: .bioEnrollment, needs: [.option(.bioEnroll)]) { _ in [1: 1, 2: 7]
        },
        SampleRequest(name: "largeBlobs", command: .largeBlobs, needs: [.optionOn(.largeBlobs)]) { _ in [1: 17, 3: 0] },
        // No authenticator has this subcommand, so that no setting changes.
        SampleRequest(name: "config", command: .config, needs: [.optionOn(.authnrCfg)]) { _ in [1: 0xEE, 3: 1] },
    ]
}
