import NovaBlendAccounts

/// Reports the account: the profile and the server.
struct AccountCheck {
    let account: Account

    var finding: Finding {
        let server = account.server ?? "no appointments URL"
        return Finding("account", .ok, "profile \(account.profile), \(server)")
    }
}
