import COSE
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// A key of U2F alone behind its platform (CTAP 2.3 §10.2, §10.3).
@Suite("A key of U2F alone behind its platform")
struct U2FTranslatorTests {
    private static func bench() async throws -> VirtualBench {
        try await VirtualBench(pin: false) {
            $0.versions = ["U2F_V2"]
            $0.alwaysUV = nil
        }
    }

    @Test("registers and signs in without user verification, in the format fido-u2f")
    func ceremonies() async throws {
        let bench = try await Self.bench()
        let made = try await bench.create(residentKey: .discouraged, userVerification: .discouraged)
        let data = try AuthenticatorData(parsing: made.response.authenticatorData?.bytes ?? [])
        #expect(data.attestedCredentialData?.aaguid == .zero)
        #expect(data.flags == [.userPresent, .attestedCredentialData])
        #expect(data.signCount == 0)
        for allow in [[made.credentialID], [[9], made.credentialID]] as [[[UInt8]]] {
            let got = try await bench.get(allow: allow, userVerification: .discouraged)
            #expect(got.rawId.bytes == made.credentialID)
            #expect(got.flags == .userPresent)
        }
        #expect(bench.touches.presencePrompts == 3)
    }

    @Test("refuses passkeys, user verification and algorithms that U2F lacks")
    func refusals() async throws {
        let bench = try await Self.bench()
        for (resident, verification) in [
            (ResidentKeyRequirement.required, UserVerificationRequirement.discouraged), (.discouraged, .required),
        ] {
            await #expect(throws: WebAuthnClientError.self) {
                try await bench.create(residentKey: resident, userVerification: verification)
            }
        }
        await #expect(throws: WebAuthnClientError.self) { try await bench.get(userVerification: .discouraged) }
        #expect(await bench.device.snapshot().credentials.isEmpty)
    }

    @Test("excludes a credential of the key after a touch")
    func excluded() async throws {
        let bench = try await Self.bench()
        let made = try await bench.create(residentKey: .discouraged, userVerification: .discouraged)
        let error = await failure { () async throws(WebAuthnClientError) in
            try await bench.create(
                residentKey: .discouraged, userVerification: .discouraged, exclude: [made.credentialID])
        }
        #expect(error?.domException == .invalidStateError)
        #expect(bench.touches.presencePrompts == 2)
    }
}
