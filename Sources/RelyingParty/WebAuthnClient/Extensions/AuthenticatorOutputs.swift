internal import CBOR
internal import WebAuthn

/// The extension outputs in authenticator data; an output of the wrong type counts as absent.
struct AuthenticatorOutputs: Sendable {
    private let outputs: CBOR.Map

    init(_ authenticatorData: [UInt8]) {
        outputs = (try? AuthenticatorData(parsing: authenticatorData).extensions) ?? CBOR.Map()
    }

    func flag(_ identifier: ExtensionIdentifier) -> Bool? { try? outputs[identifier.rawValue]?.asBool("") }

    func bytes(_ identifier: ExtensionIdentifier) -> [UInt8]? { try? outputs[identifier.rawValue]?.asBytes("") }

    /// uvm: up to three entries of three numbers (WebAuthn L2 §10.3).
    var userVerificationMethods: [[UInt32]]? {
        guard case .array(let entries)? = outputs[ExtensionIdentifier.uvm.rawValue] else { return nil }
        let methods = entries.compactMap { entry -> [UInt32]? in
            guard case .array(let numbers) = entry else { return nil }
            let values = numbers.compactMap { number in (try? number.asUnsigned("")).flatMap(UInt32.init(exactly:)) }
            return values.count == 3 && numbers.count == 3 ? values : nil
        }
        return methods.count == entries.count ? methods : nil
    }
}
