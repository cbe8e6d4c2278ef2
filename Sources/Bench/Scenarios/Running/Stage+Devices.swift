internal import CTAP
internal import WebAuthnClient

extension Stage {
    /// Sets or changes a client PIN.
    func setPIN(from current: String?, to new: String, on actor: Actor, _ observation: inout Observation) async {
        let random = actor.client.environment.randomBytes
        let pin = PINClient(AuthenticatorClient(actor.authenticator), protocol: .two, randomBytes: random)
        do throws(AuthenticatorClient.Failure) {
            if let current {
                try await pin.changePIN(from: current, to: new)
            } else {
                try await pin.setPIN(new)
            }
        } catch {
            observation.succeeded = false
        }
    }

    /// Sends authenticatorReset.
    func reset(_ actor: Actor, _ observation: inout Observation) async {
        do throws(AuthenticatorClient.Failure) {
            try await AuthenticatorClient(actor.authenticator).reset()
        } catch {
            observation.succeeded = false
        }
    }
}
