/// Says which program this is, and how it was installed.
struct InstallationCheck: Check {
    let check = "program"
    /// The path of the program; nil if it is not known.
    let path: String?
    /// The version of the program, with its commit.
    let version: String

    var finding: Finding {
        guard let path else { return ok(version) }
        return ok("\(version), \(installation(of: path) ?? "built from source"), \(path)")
    }

    /// The content of the file that each kind of package has in `lib/novablend` next to the
    /// program's directory; nil for a program that belongs to no package.
    private func installation(of path: String) -> String? {
        let directory = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        return firstLine(ofFile: "\(directory)/../lib/novablend/installation")
    }
}
