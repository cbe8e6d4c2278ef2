/// Domains under which anybody can register, so that no page below them may claim them as its RP ID.
///
/// A browser carries the whole Public Suffix List, thousands of rules that change weekly. This is a short extract of
/// what test set-ups meet: a suffix missing here is accepted although a browser would refuse it. Every single-label
/// suffix (`com`, `example`) is refused without being listed.
enum PublicSuffixes {
    static func contains(_ domain: String) -> Bool {
        !domain.contains(".") || listed.contains(domain)
    }

    /// Whether two hosts are the same, or lie below one domain that somebody registered (HTML §7.1.1, "same site").
    static func isSameSite(_ left: String, _ right: String) -> Bool {
        guard left != right else { return true }
        guard let registered = registrableDomain(of: left) else { return false }
        return registered == registrableDomain(of: right)
    }

    /// The public suffix of a host and one label more; nil for a host that is a suffix itself.
    private static func registrableDomain(of host: String) -> String? {
        let labels = host.split(separator: ".")
        let suffixes = labels.indices.map { labels[$0...].joined(separator: ".") }
        guard let first = suffixes.firstIndex(where: contains), first > 0 else { return nil }
        return suffixes[first - 1]
    }

    private static let listed: Set<String> = [
        // Registries that sell names on the second level.
        "co.uk", "org.uk", "me.uk", "ac.uk", "gov.uk", "ltd.uk", "com.au", "net.au", "org.au", "co.nz", "org.nz",
        "co.jp", "ne.jp", "or.jp", "ac.jp", "go.jp", "co.kr", "or.kr", "com.cn", "net.cn", "org.cn", "com.hk",
        "com.tw", "com.sg", "com.my", "co.in", "net.in", "org.in", "co.id", "co.th", "com.ph", "com.vn", "com.tr",
        "co.il", "org.il", "co.za", "org.za", "com.br", "net.br", "org.br", "com.ar", "com.mx", "com.co", "com.pe",
        "com.ua", "com.pl", "co.at", "or.at", "com.pt", "com.es", "com.gr", "co.no", "com.eg", "com.sa",
        // Hosts that give each customer a subdomain.
        "github.io", "gitlab.io", "pages.dev", "workers.dev", "web.app", "firebaseapp.com", "vercel.app",
        "netlify.app", "herokuapp.com", "azurewebsites.net", "azurestaticapps.net", "cloudfront.net", "appspot.com",
        "run.app", "fly.dev", "onrender.com", "amplifyapp.com", "elasticbeanstalk.com", "blogspot.com", "glitch.me",
        "ngrok.io", "ngrok.app", "ngrok-free.app", "trycloudflare.com", "loca.lt",
    ]
}
