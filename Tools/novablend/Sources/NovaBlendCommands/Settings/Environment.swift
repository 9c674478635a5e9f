import Glibc
import SystemSupport

/// The settings in environment variables. An empty variable counts as unset.
struct Environment: Sendable {
    /// `NOVABLEND_PROFILE`: the profile, unless `--profile` names one.
    var profile: String?
    /// `NOVABLEND_TOKEN`: the token of the selected profile.
    var token: String?

    /// No settings.
    static let none = Environment()

    /// The environment of this process.
    static var current: Environment {
        Environment(
            profile: variable("NOVABLEND_PROFILE"),
            token: variable("NOVABLEND_TOKEN")
        )
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(systemBytes: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
