internal import CTAP
internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// The part of a browser between a page's request for passkeys and a device.
struct PageCarrier: Sendable {
    /// The device; nil for a browser without one.
    let device: ManagedDevice?

    init(_ device: ManagedDevice?) { self.device = device }

    /// The answer to a page's request; waits for the user.
    ///
    /// - Throws: `browserRequest.ended` for a conditional request when the device is switched off, `browserRequest.tooMany`.
    func answer(_ request: PageRequest) async throws -> PageAnswer {
        do {
            switch request.kind {
            case .capabilities: return .value(json: try await capabilities.bytes())
            case .signal:
                try await signal(request)
                return .value(json: Array("null".utf8))
            case .create, .get: return try await answer(request, of: try PageCaller(request))
            }
        } catch let error as PageError {
            return .error(error)
        } catch let error as WebAuthnClientError {
            return .error(PageError(CeremonyFailure(error), of: request, by: try? PageCaller(request), on: device))
        }
    }

    /// The answer of `getClientCapabilities()` (WebAuthn L3 §5.1.7).
    private var capabilities: JSONValue {
        get async {
            let transports = device?.profile.authenticator.transports ?? []
            let isPlatform = transports.contains(.internal)
            let verifies = await device?.host.report().gate?.isConfigured ?? false
            let createsConditionally = await device?.page.isConditionalCreateAvailable ?? false
            let getsConditionally = await device?.page.isConditionalMediationAvailable ?? false
            return [
                "conditionalCreate": .bool(createsConditionally), "conditionalGet": .bool(getsConditionally),
                "hybridTransport": .bool(transports.contains(.hybrid)),
                "passkeyPlatformAuthenticator": .bool(isPlatform), "relatedOrigins": false,
                "signalAllAcceptedCredentials": true, "signalCurrentUserDetails": true,
                "signalUnknownCredential": true, "userVerifyingPlatformAuthenticator": .bool(isPlatform && verifies),
            ]
        }
    }

    /// Passes a signal on to the device, about passkeys of the page's own relying party (WebAuthn L3 §5.1.10).
    private func signal(_ request: PageRequest) async throws(PageError) {
        let caller = try PageCaller(request)
        guard let kind = PasskeySignal.Kind.allCases.first(where: { $0.method == request.signal }) else {
            throw PageError("NotSupportedError", "This kind of request is not supported.")
        }
        guard let relyingPartyID = request.options["rpId"]?.text, let news = try? kind.read(request.options) else {
            throw PageError("TypeError", "A member of the signal is not text, or not base64url.")
        }
        try caller.requireOwn(relyingPartyID)
        await device?.host.device.take(news, of: relyingPartyID)
    }

    // MARK: Ceremonies

    private func answer(_ request: PageRequest, of caller: PageCaller) async throws -> PageAnswer {
        try caller.requireCeremony(request)
        guard let device else { throw PageError.noDevice }
        let timeout = request.options["timeout"]?.integer.map { Duration.milliseconds($0) } ?? Self.longestWait
        guard request.isUserPresent else {
            // Chromium's virtual authenticators do the same.
            try await Task.sleep(for: timeout)
            throw PageError.notAllowed
        }
        if request.kind == .get, request.isConditional { return try await suggest(request, caller, on: device) }
        let start = device.host.clock.now()
        func waitForAnotherDevice() async throws {
            await device.host.clock.wait(until: start + timeout)
            try Task.checkCancellation()
        }
        guard request.reaches(device.profile.authenticator.transports) else {
            try await waitForAnotherDevice()
            throw WebAuthnClientError(
                .notAllowedError, .attachmentMismatch, detail: "the allowed credentials have other transports")
        }
        let ending = try await perform(request, caller, request.answers, on: device)
        if case .failure(let failure) = ending.result, failure.reason == RefusalReason.attachmentMismatch.label {
            try await waitForAnotherDevice()
        }
        return try answer(ending, to: request, of: caller)
    }

    /// The longest wait for the user or for another device, for a request without a timeout.
    private static let longestWait = Duration.seconds(300)

    private func answer(
        _ ending: CeremonyAnswers.Ending, to request: PageRequest, of caller: PageCaller
    ) throws -> PageAnswer {
        switch ending.result {
        case .success(let success): .value(json: try success.json())
        case .failure(let failure): .error(PageError(failure, of: request, by: caller, on: device))
        }
    }

    /// The members of a ceremony's body.
    private func body(
        _ request: PageRequest, _ caller: PageCaller, _ answers: [String: JSONValue] = [:]
    ) -> [String: JSONValue] {
        var body = answers
        body["options"] = request.options
        body["origin"] = .text(caller.origin.description)
        body["topOrigin"] = caller.topOrigin.map { .text($0.description) }
        body["title"] = request.title.map(JSONValue.text)
        if request.kind == .create { body["mediation"] = .text(request.mediation) }
        return body
    }

    private func perform(
        _ request: PageRequest, _ caller: PageCaller, _ answers: [String: JSONValue], on device: ManagedDevice
    ) async throws -> CeremonyAnswers.Ending {
        let body = JSONValue.object(body(request, caller, answers))
        return try await CeremonyRequest(request.kind == .create ? .create : .get, body).ending(with: device)
    }

    /// Suggests the device's passkeys, and waits until the user picks one; after a refusal the page still waits.
    private func suggest(
        _ request: PageRequest, _ caller: PageCaller, on device: ManagedDevice
    ) async throws -> PageAnswer {
        guard await device.page.isConditionalMediationAvailable else {
            throw WebAuthnClientError(.typeError, .conditionalUnavailable)
        }
        var waiting = try BrowserRequests.Request(.object(body(request, caller)))
        waiting.place = request.place
        let picksAtOnce = request.place.picksAtOnce
        var tries = picksAtOnce
        while true {
            let offers = device.browserRequests.offers
            if tries, await device.suggestsPasskey(for: waiting) {
                let ending = try await perform(request, caller, request.answers, on: device)
                if case .success = ending.result { return try answer(ending, to: request, of: caller) }
                guard request.waits else { return try answer(ending, to: request, of: caller) }
            }
            guard request.waits else { return .nothing }
            tries = false
            switch await device.browserRequests.wait(waiting, after: picksAtOnce ? offers : nil) {
            case .picked(let pick):
                var answers = request.answers.merging(pick.answers) { _, given in given }
                if let id = pick.credentialID {
                    // The user has picked an account already.
                    answers["account"] = nil
                    answers["credentialId"] = .text(Base64URL.encode(id))
                }
                let ending: CeremonyAnswers.Ending
                do {
                    ending = try await perform(request, caller, answers, on: device)
                } catch {
                    pick.tell(nil)
                    throw error
                }
                pick.tell(ending)
                if case .success = ending.result { return try answer(ending, to: request, of: caller) }
            case .changed: tries = true
            case .ended: throw APIError.browserRequestEnded
            case .tooMany: throw APIError.tooManyBrowserRequests
            }
        }
    }
}

extension ManagedDevice {
    fileprivate func suggestsPasskey(for request: BrowserRequests.Request) async -> Bool {
        await host.device.authenticator.keptCredentials.contains(where: request.suggests)
    }
}
