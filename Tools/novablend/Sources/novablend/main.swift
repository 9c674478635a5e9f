import NovaBlendKit
print(Version.current)
