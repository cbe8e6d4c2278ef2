internal import ControlAPI
internal import Documents
internal import Logging
internal import LoopbackHTTP
internal import SimulatedDevice
internal import WebAuthn
internal import WebAuthnClient

extension PageCarrier {
    /// The answer to a request that needs no suggestion.
    func answer(to request: Request, _ id: RequestID) async -> PageAnswer {
        let (message, origin, device) = (request.message, request.origin, device(of: id.document))
        do {
            switch message.kind {
            case .create, .get:
                guard let device else { throw PageError.notAllowed }
                switch try await perform(message, of: origin, with: device, device.answers) {
                case .credential(let credential): return .value(credential)
                case .failure(let failure): throw PageError(named: failure["name"]?.text ?? PageError.notAllowed.name)
                }
            case .capabilities: return .value(await control.capabilities(of: device?.name))
            case .signal:
                try await signal(message, of: origin, to: device)
                return .value(.null)
            case .cancel: return .value(.null)
            }
        } catch let error as PageError {
            return .error(error)
        } catch {
            if !(error is CancellationError) { logger.error("a page's request failed: \(error)") }
            return .error(.notAllowed)
        }
    }

    private enum Ceremony {
        case credential(JSONValue)
        /// The control API's description of the page's error.
        case failure(JSONValue)
    }

    /// Performs a ceremony with a device.
    private func perform(
        _ message: PageMessage, of origin: String, with device: PageDevice, _ answers: [String: JSONValue]
    ) async throws -> Ceremony {
        var body = answers
        body["options"] = message.options ?? [:]
        body["origin"] = .text(origin)
        if message.kind == .create, message.isConditional { body["mediation"] = "conditional" }
        body["topOrigin"] = message.topOrigin(above: origin).map(JSONValue.text)
        let path = "/v1/devices/\(device.name)/ceremonies/\(message.kind.rawValue)"
        let (answer, json) = try await control.send("POST", path, .object(body))
        if let credential = json["credential"] {
            let id = credential["id"]?.text ?? ""
            await tell(message.kind == .create ? .created(credential: id) : .asserted(credential: id), of: device)
            return .credential(credential)
        }
        if answer.status != 200 { logger.error("a ceremony failed: \(json["error"]?["message"]?.text ?? "")") }
        return .failure(json["error"] ?? [:])
    }

    /// Passes a signal on to the device (WebAuthn L3 §5.1.10).
    ///
    /// - Throws: ``PageError`` for an RP ID that the page may not claim.
    private func signal(_ message: PageMessage, of origin: String, to device: PageDevice?) async throws {
        guard let kind = PasskeySignal.Kind.allCases.first(where: { $0.method == message.signal }),
            let options = message.options
        else { throw PageError.notOffered }
        do {
            _ = try Origin(parsing: origin).relyingPartyID(claiming: options["rpId"]?.text)
        } catch let error as WebAuthnClientError {
            throw PageError(named: error.domException.rawValue)
        }
        guard let device else { return }
        _ = try await control.send("POST", "/v1/devices/\(device.name)/signals/\(kind.rawValue)", options)
        await tell(.signalled, of: device)
    }
}

extension PageCarrier {
    /// Answers conditional requests whose user picks a suggestion at once, where the device has one.
    func offerSuggestions() {
        for id in conditional where requests[id]?.task == nil {
            guard let device = device(of: id.document), device.picksSuggestions, device.isPresent else { continue }
            requests[id]?.task = Task {
                if await hasSuggestion(for: id, device) { _ = try? await pick(id, device.answers) }
                requests[id]?.task = nil
            }
        }
    }

    private func hasSuggestion(for id: RequestID, _ device: PageDevice) async -> Bool {
        guard let request = requests[id], let origin = try? Origin(parsing: request.origin),
            let relyingPartyID = try? origin.relyingPartyID(claiming: request.message.options?["rpId"]?.text),
            let stored = try? await control.send("GET", "/v1/devices/\(device.name)/credentials")
        else { return false }
        return stored.json.array?.contains { credential in
            credential["rpId"]?.text == relyingPartyID && credential["isDiscoverable"]?.bool == true
        } ?? false
    }

    /// The user picks a suggestion of the newest conditional request.
    ///
    /// - Returns: the page's error that the failure would be in a modal request; nil when the page got its credential. After
    ///   a failure the request waits on.
    /// - Throws: `conditional.notPending`.
    func pick(_ answers: [String: JSONValue]) async throws -> JSONValue? {
        guard let id = conditional.last, let device = device(of: id.document) else {
            throw APIError.conditionalNotPending
        }
        return try await pick(id, device.answers.merging(answers) { _, given in given })
    }

    private func pick(_ id: RequestID, _ answers: [String: JSONValue]) async throws -> JSONValue? {
        guard let request = requests[id], let device = device(of: id.document) else {
            throw APIError.conditionalNotPending
        }
        switch try await perform(request.message, of: request.origin, with: device, answers) {
        case .credential(let credential):
            finish(id, .value(credential))
            return nil
        case .failure(let failure): return failure
        }
    }
}
