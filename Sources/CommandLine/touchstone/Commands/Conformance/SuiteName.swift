import ArgumentParser
import AuthenticatorSuite
import Conformance
import RelyingPartySuite

/// A suite on the command line.
enum SuiteName: String, CaseIterable, ExpressibleByArgument {
    case authenticator
    case relyingParty = "relying-party"

    var title: String {
        switch self {
        case .authenticator: "Conformance cases of authenticators"
        case .relyingParty: "Conformance cases of relying parties"
        }
    }

    var official: OfficialTable {
        switch self {
        case .authenticator: AuthenticatorSuite.all.official
        case .relyingParty: RelyingPartySuite.all.official
        }
    }

    var catalogue: [CatalogueGroup] {
        switch self {
        case .authenticator: AuthenticatorSuite.all.catalogue
        case .relyingParty: RelyingPartySuite.all.catalogue
        }
    }
}
