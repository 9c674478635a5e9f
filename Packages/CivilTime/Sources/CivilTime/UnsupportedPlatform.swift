// Tools/Scripts/platforms.py checks the condition. Every other library depends on one that has this file.
#if !os(Linux) || !canImport(Glibc) || !(arch(x86_64) || arch(arm64))
    #error("NovaBlend supports only Linux with glibc on x86-64 or arm64; see README.md")
#endif
