internal import CTAP
package import Conformance

extension AuthenticatorSuite {
    /// The safe profile, by which devices are compared: requests that leave a device unchanged and need no PIN.
    ///
    /// No case of it tries or sets a PIN, writes, resets, enrols or configures anything, makes a discoverable credential,
    /// or sends a command of a vendor.
    ///
    /// - Parameter touching: whether it has the cases that wait for a touch.
    package static func comparison(touching: Bool) -> ConformanceSuite<AuthenticatorBench> {
        var (silent, touched) = (CaseSelection(), CaseSelection())
        (silent.identifiers, touched.identifiers) = (Self.silent, Self.touched)
        return ConformanceSuite(
            all.name,
            all.groups.map { group in
                Group(
                    group.name, group.title,
                    group.cases.filter { single in
                        let description = single.description
                        guard !vendors.contains(description.id), description.effects.isEmpty else { return false }
                        return silent.contains(description) && description.person.isEmpty
                            || touching && touched.contains(description)
                    })
            })
    }

    private static let silent: [String] = [
        "general", "cbor", "getInfo.map", "makeCredential.missing", "makeCredential.type", "makeCredential.form",
        "makeCredential.algorithms.unsupported", "makeCredential.algorithms.empty", "makeCredential.options.up.false",
        "makeCredential.enterpriseAttestation.absent", "makeCredential.enterpriseAttestation.off",
        "getAssertion.missing", "getAssertion.type", "getAssertion.form", "clientPIN.keyAgreement",
        "clientPIN.protocol1.keyAgreement", "clientPIN.protocol2.keyAgreement", "clientPIN.retries",
        "clientPIN.uvRetries", "clientPIN.subCommand", "credentialManagement.metadata",
        "credentialManagement.enumerateRPs", "credentialManagement.enumerateCredentials",
        "credentialManagement.subCommand", "credentialManagement.preview.metadata",
        "credentialManagement.preview.enumerateRPs", "credentialManagement.preview.enumerateCredentials",
        "credentialManagement.preview.subCommand", "bioEnrollment.modality", "bioEnrollment.sensorInfo",
        "bioEnrollment.subCommand", "bioEnrollment.enumerateEnrollments", "bioEnrollment.preview.modality",
        "bioEnrollment.preview.sensorInfo", "bioEnrollment.preview.subCommand",
        "bioEnrollment.preview.enumerateEnrollments", "config.subCommand", "largeBlobs.get",
        "largeBlobs.request.neither",
        "largeBlobs.request.get",
    ]

    /// The credentials of these cases are not discoverable and exist in their IDs alone.
    private static let touched: [String] = [
        "selection.touch", "makeCredential.pinUvAuthParam.empty", "getAssertion.allowList.match",
        "getAssertion.silent.signs", "getAssertion.algorithm.ES256",
    ]

    /// Bytes that may be commands of vendors (CTAP 2.3 §8.1).
    private static let vendors: Set<String> = [
        "general.vendorCommand", "general.absent.bioEnrollmentPreview", "general.absent.credentialManagementPreview",
    ]
}
