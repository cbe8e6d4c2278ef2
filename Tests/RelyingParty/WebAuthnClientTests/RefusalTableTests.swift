import CTAP
import Testing

@testable import WebAuthnClient

/// CTAP status → the page's error.
struct RefusalTableTests {
    @Test func everyNamedStatusHasExactlyOneRow() {
        let named = (1...255).map { CTAPStatus(rawValue: UInt8($0)) }.filter { $0.name != nil }
        #expect(RefusalTable.rows.map(\.status.rawValue).sorted() == named.map(\.rawValue))
        #expect(Set(RefusalTable.rows.map(\.status.identifier)).count == RefusalTable.rows.count)
    }

    @Test(
        arguments: [
            (.credentialExcluded, .invalidStateError, .unknownError),
            (.unsupportedAlgorithm, .notSupportedError, .unknownError),
            (.unsupportedOption, .constraintError, .notAllowedError),
            (.invalidOption, .constraintError, .notAllowedError), (.pinNotSet, .constraintError, .notAllowedError),
            (.puatRequired, .constraintError, .notAllowedError), (.noCredentials, .notAllowedError, .notAllowedError),
            (.operationDenied, .notAllowedError, .notAllowedError),
            (.userActionTimeout, .notAllowedError, .notAllowedError),
            (.keepaliveCancel, .notAllowedError, .notAllowedError), (.pinBlocked, .notAllowedError, .notAllowedError),
            (.pinAuthBlocked, .notAllowedError, .notAllowedError), (.uvBlocked, .notAllowedError, .notAllowedError),
            (.keyStoreFull, .notAllowedError, .notAllowedError), (.invalidCBOR, .unknownError, .unknownError),
            (.missingParameter, .unknownError, .unknownError), (.other, .unknownError, .unknownError),
            (CTAPStatus(rawValue: 0xF3), .unknownError, .unknownError),
        ] as [(CTAPStatus, DOMExceptionName, DOMExceptionName)])
    func aRefusalReachesThePageAs(_ row: (status: CTAPStatus, create: DOMExceptionName, get: DOMExceptionName))
        async throws
    {
        let device = FakeAuthenticator([:])
        await device.configure {
            $0.refusals = [.makeCredential: [row.status], .getAssertion: [row.status]]
        }
        let client = client(device)
        let origin = try Origin.test()
        let create = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(), origin: origin)
        }
        #expect(create?.domException == row.create)
        #expect(create?.ctapStatus == row.status)
        let get = await failure { () async throws(WebAuthnClientError) in try await client.get(.test(), origin: origin)
        }
        #expect(get?.domException == row.get)
        #expect(get?.reason == create?.reason)
    }

    @Test(
        arguments: [
            (.disconnected("gone"), .notAllowedError, "device.disconnected"),
            (.timedOut("silent"), .notAllowedError, "device.timedOut"),
            (.busy, .notAllowedError, "device.busy"),
            (.protocolViolation("odd"), .unknownError, "device.protocolViolation"),
        ] as [(CTAPDeviceError, DOMExceptionName, String)])
    func aLostDeviceReachesThePageAs(_ row: (error: CTAPDeviceError, name: DOMExceptionName, label: String))
        async throws
    {
        let device = FakeAuthenticator([:])
        await device.configure { $0.failure = row.error }
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(), origin: origin)
        }
        #expect(error?.domException == row.name)
        #expect(error?.reason.label == row.label)
    }
}
