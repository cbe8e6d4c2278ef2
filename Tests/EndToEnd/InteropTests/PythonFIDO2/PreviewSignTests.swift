import TestSupport
import Testing

extension Interop {
    /// python-fido2's client for the draft extension previewSign.
    @Suite struct PythonPreviewSignTests {
        private struct Summary: Decodable {
            let signed: [Int]
        }

        @Test func aSigningKeySignsDataForPython() async throws {
            // ES256, EdDSA and ES384, which python-fido2 can verify.
            let algorithms = [-7, -8, -35]
            try await ServedDevice.with("security-key-complete") { served in
                let summary = try await Script.run(
                    "preview_sign", port: served.port, ["algorithms": .numbers(algorithms)], as: Summary.self)
                #expect(summary.signed == algorithms)
            }
        }
    }
}
