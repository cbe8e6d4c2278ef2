internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The state of the files that tie apps and related origins to a domain.
package enum WellKnownState: String, CaseIterable, Hashable, Sendable, Codable {
    case served
    /// Each answers 404.
    case missing
    /// Each is an HTML page, as a web server without a rule for them answers.
    case html
    /// Each redirects, which Apple's and Google's servers do not follow.
    case redirected
    /// Each names another app or origin.
    case otherApp = "other-app"
}

/// `apple-app-site-association`, `assetlinks.json` and `webauthn` (K3, L6).
struct WellKnownFiles: Sendable {
    let site: RelyingPartySite
    let app: AppRegistration
    let conditions: ServiceConditions

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case apple = "apple-app-site-association"
        case android = "assetlinks.json"
        case webauthn

        var path: String { "/.well-known/" + rawValue }
    }

    private struct Association: Encodable {
        struct Links: Encodable {
            struct Detail: Encodable {
                struct Component: Encodable {
                    enum CodingKeys: String, CodingKey {
                        case path = "/"
                    }

                    let path: String
                }

                let appIDs: [String]
                let components: [Component]
            }

            let details: [Detail]
        }

        struct Credentials: Encodable {
            let apps: [String]
        }

        let applinks: Links
        let webcredentials: Credentials
    }

    private struct Statement: Encodable {
        struct Target: Encodable {
            let namespace = "android_app"
            let packageName: String
            let sha256CertFingerprints: [String]

            enum CodingKeys: String, CodingKey {
                case namespace
                case packageName = "package_name"
                case sha256CertFingerprints = "sha256_cert_fingerprints"
            }
        }

        let relation = ["delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds"]
        let target: Target
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        routes.add(
            .get, Endpoint.apple.path,
            door.handler(.wellKnown, Endpoint.apple.rawValue) { request, _ in
                try answer(request) { isOther in
                    let appID = isOther ? "OTHER12345.example.other" : app.appleAppID
                    return Association(
                        applinks: .init(details: [.init(appIDs: [appID], components: [.init(path: "/callback")])]),
                        webcredentials: .init(apps: [appID]))
                }
            })
        routes.add(
            .get, Endpoint.android.path,
            door.handler(.wellKnown, Endpoint.android.rawValue) { request, _ in
                try answer(request) { isOther in
                    [
                        Statement(
                            target: .init(
                                packageName: isOther ? "example.other" : app.androidPackage,
                                sha256CertFingerprints: [app.androidFingerprint]))
                    ]
                }
            })
        // Related origin requests (WebAuthn L3 §5.11.1); this endpoint replaces the relying party's own.
        routes.add(
            .get, Endpoint.webauthn.path,
            door.handler(.wellKnown, Endpoint.webauthn.rawValue) { request, _ in
                try answer(request) { isOther in ["origins": isOther ? ["https://other.example"] : site.origins] }
            })
    }

    private func answer(_ request: Request, _ content: (_ isOther: Bool) -> some Encodable) throws -> Response {
        conditions.note(.wellKnown)
        switch conditions.current.wellKnown {
        case .served: return try Reply.json(content(false))
        case .otherApp: return try Reply.json(content(true))
        case .missing: throw APIError.routeNotFound
        case .html:
            return Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "<!DOCTYPE html><title>Touchstone</title>")))
        case .redirected: return Reply.redirect(to: "/elsewhere" + request.uri.path)
        }
    }
}
