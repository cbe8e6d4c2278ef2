internal import Biometrics
internal import CTAP
internal import Devices
internal import VirtualAuthenticator
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

    /// Lets the app keep a secret behind the sensor.
    func storeSecret(
        _ name: String, access: SecureStorage.Access, on device: SimulatedDevice, _ observation: inout Observation
    ) async {
        do {
            try await device.secureStorage.store(Array("token".utf8), as: name, access: access)
        } catch {
            observation.succeeded = false
            observation.ownCause = (error as? GateRefusal)?.label ?? "\(error)"
        }
    }

    /// Lets the app read its secret, which asks the person to verify.
    func readSecret(_ name: String, on device: SimulatedDevice, _ observation: inout Observation) async {
        guard let cause = await device.secureStorage.read(name).cause else { return }
        observation.succeeded = false
        observation.ownCause = cause
    }

    /// Changes who is enrolled.
    func changeEnrolment(
        _ change: () async throws(GateError) -> Void, _ observation: inout Observation
    ) async {
        do throws(GateError) {
            try await change()
        } catch {
            observation.succeeded = false
            observation.ownCause = error.description
        }
    }
}
