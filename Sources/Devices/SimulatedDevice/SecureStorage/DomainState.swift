package import Biometrics
internal import Crypto

extension UserVerificationGate {
    /// A value that changes when a template is enrolled or removed: Apple's `evaluatedPolicyDomainState`, 32 bytes; nil
    /// while no template is enrolled.
    package var domainState: [UInt8]? {
        guard sensors.contains(where: { !$0.templates.isEmpty }) else { return nil }
        var message: [UInt8] = []
        for sensor in sensors {
            message += Array("domain state \(sensor.modality.rawValue) \(sensor.enrolmentGeneration)".utf8)
            for template in sensor.templates { message += [UInt8(template.id.count & 0xFF)] + template.id }
        }
        return Array(SHA256.hash(data: message))
    }
}
