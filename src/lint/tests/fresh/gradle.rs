//! Versions that are held against the files of a Gradle build.

use super::*;

#[test]
fn versions_are_held_against_the_files_of_gradle() {
    let project = Fake::new(&[
        (
            "build.gradle",
            "plugins {\n  id 'org.springframework.boot' version '3.3.1'\n}\ndependencies {\n  implementation 'com.google.guava:guava:33.2.0-jre'\n}\n",
        ),
        (
            "app/build.gradle.kts",
            "kotlin { jvmToolchain(21) }\ndependencies {\n  testImplementation(\"org.junit.jupiter:junit-jupiter:5.10.2\")\n}\n",
        ),
        (
            "gradle/libs.versions.toml",
            "[versions]\nretrofit = '2.11.0'\nkotlin = '2.0.0'\nagp = '8.4.0'\n[libraries]\nretrofit = { module = 'com.squareup.retrofit2:retrofit', version.ref = 'retrofit' }\n",
        ),
        (
            "gradle/wrapper/gradle-wrapper.properties",
            "distributionUrl=https\\://services.gradle.org/distributions/gradle-8.7-bin.zip\n",
        ),
    ]);
    for body in [
        "The app is on Spring Boot 2.7.",
        "Needs Guava 31.1.",
        "Tests are written with JUnit 4.13.",
        "HTTP goes through Retrofit 2.9.",
        "Kotlin 1.9 is what we compile with.",
        "The build runs on Gradle 7.6.",
        "Our AGP 7 plugin.",
        "It runs on Java 17.",
    ] {
        let found = said(&project, "stale-version", body);
        assert!(
            found.len() == 1 && found[0].starts_with("w "),
            "{body}: {found:?}"
        );
    }
    for body in [
        "Spring Boot 3.3, Guava 33, JUnit 5, Retrofit 2.11, Kotlin 2, Gradle 8.7, AGP 8.4, Java 21",
        "Spring Security 5 and Gradle Enterprise 2023",
    ] {
        assert_eq!(said(&project, "stale-version", body), [""; 0], "{body}");
    }
}
