internal import CBOR
internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// largeBlobKey (CTAP 2.3 §12.3); throws 0x11 for a value other than a boolean, 0x2C for false.
    func wantsLargeBlobKey(_ extensions: [String: CBOR.Value]?) throws(Refusal) -> Bool {
        let wanted = try extensionInput(.largeBlobKey, extensions) { value, path throws(CBOR.AccessError) in
            try value.asBool(path)
        }
        try require(
            wanted != false,
            else: Refusal(.invalidOption, RefusalReason("largeBlobKey", .optionFalse, "CTAP 2.3 §12.3")))
        return wanted == true
    }
}
