internal import CBOR
internal import CTAP
internal import Causes

/// A request's access to a credential's blob.
enum LargeBlobAct: Sendable {
    case read
    case write(LargeBlobExtensionValue)
}

/// Phones' `largeBlob`: blobs lie with credentials, outputs are unsigned (CTAP 2.3 §6.1, unsignedExtensionOutputs).
extension VirtualAuthenticator {
    private static func reason(_ cause: Cause) -> RefusalReason {
        RefusalReason("largeBlob", cause, "WebAuthn L3 §10.1.5")
    }

    /// The longest compressed blob accepted, in bytes.
    static let largestBlob = 4096

    /// `{"support": "required" | "preferred"}` → `{"supported": bool}`.
    ///
    /// - Throws: 0x2C when a blob is required and the credential cannot store one, or for another value.
    func largeBlobSupport(_ extensions: [String: CBOR.Value], isDiscoverable: Bool) throws(Refusal) -> CBOR.Value? {
        let support = try extensionInput(.largeBlob, extensions) { value, path throws(CBOR.AccessError) in
            try value.asMap(path).required("support", "\(path).support").asText("\(path).support")
        }
        guard let support else { return nil }
        try require(
            support == "preferred" || (support == "required" && isDiscoverable),
            else: Refusal(.invalidOption, Self.reason(.unsupported), detail: support))
        return ["supported": .bool(isDiscoverable)]
    }

    /// `{"read": true}` or `{"write": bytes, "originalSize": n}`.
    ///
    /// - Throws: 0x2C for both, for neither, and for writing unless exactly one credential is named.
    func largeBlobAct(_ extensions: [String: CBOR.Value], namedCredentials: Int) throws(Refusal) -> LargeBlobAct? {
        let input = try extensionInput(.largeBlob, extensions) { value, path throws(CBOR.AccessError) in
            let map = try value.asMap(path)
            let data = try map["write"]?.asBytes("\(path).write")
            return (
                read: try map["read"]?.asBool("\(path).read") ?? false, write: data,
                size: data == nil
                    ? 0 : try map.required("originalSize", "\(path).originalSize").asUnsigned("\(path).originalSize")
            )
        }
        guard let input else { return nil }
        guard let data = input.write else {
            try require(input.read, else: Refusal(.invalidOption, Self.reason(.neitherReadNorWrite)))
            return .read
        }
        try require(
            !input.read && namedCredentials == 1,
            else: Refusal(.invalidOption, Self.reason(input.read ? .readAndWrite : .writeNamesOne)))
        return .write(LargeBlobExtensionValue(data: data, originalSize: input.size))
    }

    func perform(_ act: LargeBlobAct, on credential: StoredCredential, _ terms: AssertionTerms) -> CBOR.Value {
        switch act {
        case .read:
            guard let blob = credential.largeBlob else { return [:] }
            return ["blob": .bytes(blob.data), "originalSize": .integer(blob.originalSize)]
        case .write(let blob):
            let mayWrite = terms.userPresent && (terms.userVerified || !isProtectedByUserVerification)
            guard mayWrite, credential.isDiscoverable, blob.data.count <= Self.largestBlob else {
                return ["written": false]
            }
            state.credentials.setLargeBlob(blob, id: credential.id)
            return ["written": true]
        }
    }
}
