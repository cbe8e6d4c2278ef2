internal import CTAP
internal import DeviceProfiles
internal import Foundation
internal import Harness
internal import PlatformErrors
internal import RelyingParty
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

extension Stage {
    private static let api = "/api/v1/auth"

    /// Registers a passkey: begin, create(), complete.
    func register(_ ceremony: ScenarioStep.Ceremony, on actor: Actor, _ observation: inout Observation) async throws {
        if obstacle(actor, &observation) { return }
        var wishes: [String: String] = [:]
        wishes["userVerification"] = ceremony.userVerification
        wishes["residentKey"] = ceremony.residentKey
        wishes["attestation"] = ceremony.attestation
        guard let begun = try await post("/passkeys/register/begin", wishes, actor, &observation) else { return }
        let options = try decode(CreationOptions.self, from: begun)
        do {
            let response = try await actor.client.create(options, origin: origin())
            observe(attestation: response, &observation)
            if obstacle(actor, &observation) { return }
            _ = try await post("/passkeys/register/complete", response, actor, &observation)
        } catch let error as WebAuthnClientError {
            fail(error, &observation)
        }
    }

    /// Signs in, or shows again who is there: begin, get(), complete.
    func authenticate(
        _ ceremony: ScenarioStep.Ceremony, purpose: String, on actor: Actor, _ observation: inout Observation
    ) async throws {
        if obstacle(actor, &observation) { return }
        var wishes = ["purpose": purpose]
        wishes["username"] = ceremony.account
        wishes["userVerification"] = ceremony.userVerification
        guard let begun = try await post("/passkeys/authenticate/begin", wishes, actor, &observation) else { return }
        let options = try decode(RequestOptions.self, from: begun)
        do {
            let response = try await actor.client.get(options, origin: origin())
            observe(authenticatorData: response.response.authenticatorData.bytes, &observation)
            if obstacle(actor, &observation) { return }
            _ = try await post("/passkeys/authenticate/complete", response, actor, &observation)
        } catch let error as WebAuthnClientError {
            fail(error, &observation)
        }
    }

    /// Makes an account and signs in to it.
    func createAccount(_ name: String, password: String?, _ observation: inout Observation) async throws {
        var body = ["username": name, "displayName": name]
        body["password"] = password
        _ = try await post("/accounts", body, nil, &observation)
    }

    /// Ends the session.
    func signOut(_ observation: inout Observation) async throws {
        _ = try await request("DELETE", "/session", nil, nil, &observation)
        await http.forgetSession()
    }

    /// Lists the account's passkeys.
    func listPasskeys(_ observation: inout Observation) async throws -> [Passkey] {
        guard let answer = try await request("GET", "/passkeys", nil, nil, &observation) else { return [] }
        let list = try decode(PasskeyList.self, from: answer)
        observation.passkeys = list.passkeys.count
        return list.passkeys
    }

    /// Deletes the passkey at a place in the list, counted from 1.
    func deletePasskey(number: Int, _ observation: inout Observation) async throws {
        let list = try await listPasskeys(&observation)
        guard observation.succeeded else { return }
        guard list.indices.contains(number - 1) else {
            observation.succeeded = false
            observation.ownCause = "noSuchPasskey"
            return
        }
        _ = try await request("DELETE", "/passkeys/\(list[number - 1].credentialId)", nil, nil, &observation)
    }

    /// What an answer says; one that cannot be read is no answer.
    private func decode<Body: Decodable>(_ type: Body.Type, from answer: HarnessClient.Answer) throws -> Body {
        do {
            return try answer.decode(type)
        } catch {
            throw Breakdown("the relying party's answer is no \(type): \(error)")
        }
    }

    private func post(
        _ path: String, _ body: any Encodable & Sendable, _ actor: Actor?, _ observation: inout Observation
    ) async throws -> HarnessClient.Answer? {
        try await request("POST", path, body, actor, &observation)
    }

    /// Sends a request and notes what came back; nil when it was refused.
    private func request(
        _ method: String, _ path: String, _ body: (any Encodable & Sendable)?, _ actor: Actor?,
        _ observation: inout Observation
    ) async throws -> HarnessClient.Answer? {
        let answer = try await http.send(
            method, Self.api + path, body: body, userAgent: UserAgents.of(actor?.profile))
        observation.httpStatus = answer.status
        var line = "\(method) \(path) → \(answer.status)"
        if let problem = answer.problem {
            observation.succeeded = false
            observation.code = problem.code
            line += " \(problem.code)"
        }
        for verdict in takeVerdicts() {
            let failed = verdict.ledger.failures.map(\.step.rawValue)
            observation.failedLedgerSteps += failed
            line +=
                failed.isEmpty
                ? ", every step of the ledger holds" : ", the ledger failed at \(failed.joined(separator: ", "))"
        }
        observation.server.append(line)
        return answer.isSuccess ? answer : nil
    }

    private func fail(_ error: WebAuthnClientError, _ observation: inout Observation) {
        observation.succeeded = false
        observation.domException = error.domException.rawValue
        observation.clientReason = error.reason.label
    }

    private func observe(attestation response: RegistrationResponse, _ observation: inout Observation) {
        let object = try? AttestationObject(parsing: response.response.attestationObject.bytes)
        observe(authenticatorData: object?.authenticatorData ?? [], &observation)
    }

    private func observe(authenticatorData bytes: [UInt8], _ observation: inout Observation) {
        guard let data = try? AuthenticatorData(parsing: bytes) else { return }
        observation.userVerified = data.flags.contains(.userVerified)
        observation.signCount = data.signCount
        observation.backedUp = data.flags.contains(.backupState)
    }

    /// A row of the passkey list.
    struct Passkey: Decodable, Sendable {
        let credentialId: String
        let deviceName: String?
    }

    private struct PasskeyList: Decodable {
        let passkeys: [Passkey]
    }
}

/// What apps on each platform call themselves, from which a relying party names the device.
enum UserAgents {
    static func of(_ profile: DeviceProfile?) -> String {
        switch profile?.platform {
        case .ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
        case .android: "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
        case .macos:
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15"
        case .windows: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
        case .securityKey, nil: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
        }
    }
}
