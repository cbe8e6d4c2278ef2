import ArgumentParser
import AuthenticatorSuite
import Conformance

/// A suite on the command line.
enum SuiteName: String, CaseIterable, ExpressibleByArgument {
    case authenticator

    var title: String {
        switch self {
        case .authenticator: "Conformance cases of authenticators"
        }
    }

    var catalogue: [CatalogueGroup] {
        switch self {
        case .authenticator: AuthenticatorSuite.all.catalogue
        }
    }
}
