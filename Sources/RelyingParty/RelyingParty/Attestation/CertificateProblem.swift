internal import COSE
internal import X509

/// The reasons that certificates cannot be read, in words; the library's own descriptions name positions in its sources.
enum CertificateProblem {
    static func words(_ error: any Error) -> String {
        switch (error as? CertificateError)?.code {
        case nil: DERProblem.words(error)
        case .unsupportedPublicKeyAlgorithm: "its key's algorithm is not supported"
        case .unsupportedSignatureAlgorithm, .unsupportedDigestAlgorithm: "its signature's algorithm is not supported"
        case .invalidSignatureForCertificate: "its signature is not valid"
        case .incorrectOIDForExtension, .duplicateOID: "an extension occurs twice, or stands in another one's place"
        default: "a value in it is not valid"
        }
    }
}
