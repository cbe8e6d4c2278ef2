import AuthenticatorSuite
import Conformance
import DeviceProfiles
import Foundation
import TestSupport
import Testing

/// Devices whose getInfo is wrong from the start.
struct UndescribedTests {
    @Test(
        "A run of a device with a wrong getInfo goes on, and the cases about getInfo fail",
        arguments: [
            ("response-trailing-byte on GetInfo", "cbor.getInfo.response"),
            ("response-truncated on GetInfo", "cbor.getInfo.response"),
            ("refused:OTHER on GetInfo", "getInfo.required"),
        ])
    func runGoesOn(fault: String, finding: String) async throws {
        let folder = try TemporaryFolder()
        let key = PackageRoot.url.appending(path: "profiles/security-key-nfc.yaml")
        let text = try String(contentsOf: key, encoding: .utf8) + "\nfaults: [\"\(fault)\"]\n"
        let file = folder.url.appending(path: "security-key-nfc.yaml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let results = try await Authenticator.results(
            file.path, identifiers: [finding, "makeCredential.plain", "getAssertion.plain", "largeBlobs.initial"])
        #expect(results.count == 4)
        // What getInfo does not declare is not known to be absent.
        let isRead = fault.hasPrefix("response-trailing-byte")
        #expect(results["largeBlobs.initial"]?.verdict == (isRead ? .notApplicable : .notRun))
        #expect(results[finding]?.verdict == .failed, "\(results[finding]?.words ?? "")")
        for id in ["makeCredential.plain", "getAssertion.plain"] {
            #expect(results[id]?.verdict == .passed, "\(results[id]?.words ?? "")")
        }
    }
}
