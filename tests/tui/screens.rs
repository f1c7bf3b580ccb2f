//! Whole screens with their styles.

use insta::assert_snapshot;

use crate::harness::App;

#[test]
fn browse_wide() {
    assert_snapshot!(
        "browse-120-dark",
        App::open(120, 36).dark().press("G<up>").screen()
    );
    assert_snapshot!(
        "browse-120-mono",
        App::open(120, 36).press("5j").press("jjjj").screen()
    );
}

#[test]
fn browse_filtered() {
    assert_snapshot!(
        "filter-120",
        App::open(120, 30).dark().press("/auth").screen()
    );
    assert_snapshot!(
        "filter-80",
        App::open(80, 24).press("/auth<enter>").screen()
    );
    assert_snapshot!(
        "filter-error-80",
        App::open(80, 24).press("/importnce:high").screen()
    );
}

#[test]
fn browse_small() {
    assert_snapshot!("browse-80", App::open(80, 24).press("jj").screen());
    assert_snapshot!(
        "reading-80",
        App::open(80, 24)
            .dark()
            .press("/oauth<enter><enter>")
            .screen()
    );
    assert_snapshot!("browse-40", App::open(40, 12).press("j").screen());
    assert_snapshot!("browse-20", App::open(20, 5).press("j").screen());
    assert_snapshot!("reading-20", App::open(20, 5).press("j<enter>").screen());
}

#[test]
fn inject() {
    let keys = "t«add oauth integration to auth»";
    assert_snapshot!(
        "inject-120-dark",
        App::open(120, 36).dark().press(keys).screen()
    );
    assert_snapshot!(
        "inject-120-mono",
        App::open(120, 30).press(keys).press("<enter>jj").screen()
    );
    assert_snapshot!(
        "inject-80",
        App::open(80, 24).press(keys).press("<enter>").screen()
    );
    assert_snapshot!("inject-40", App::open(40, 12).press(keys).screen());
    assert_snapshot!("inject-20", App::open(20, 5).press(keys).screen());
    assert_snapshot!(
        "ranked-list",
        App::open(120, 24).press(keys).press("<enter>1").screen()
    );
}

#[test]
fn explain() {
    let keys = "t«add oauth integration to auth»<enter>1/cache<enter>x";
    assert_snapshot!(
        "explain-120",
        App::open(120, 30).dark().press(keys).screen()
    );
    assert_snapshot!("explain-80", App::open(80, 24).press(keys).screen());
}

#[test]
fn lint() {
    assert_snapshot!(
        "lint-120-dark",
        App::open(120, 36).dark().press("3").screen()
    );
    assert_snapshot!("lint-fix-120", App::open(120, 36).press("3f").screen());
    assert_snapshot!("lint-80", App::open(80, 24).press("3j").screen());
}

#[test]
fn palette() {
    assert_snapshot!("palette-120", App::open(120, 30).dark().press("?").screen());
    assert_snapshot!("palette-80", App::open(80, 24).press(":undo").screen());
    assert_snapshot!("palette-20", App::open(20, 5).press("?").screen());
}

#[test]
fn light() {
    assert_snapshot!("browse-120-light", App::open(120, 24).light().screen());
}

#[test]
fn editing() {
    let task = "t«add oauth integration to auth»<enter>1/«structure»<enter>";
    assert_snapshot!(
        "form-120",
        App::open(120, 36)
            .dark()
            .press(task)
            .press("ei<right>")
            .screen()
    );
    assert_snapshot!(
        "form-80",
        App::open(80, 24).press(task).press("ei<right>").screen()
    );
    assert_snapshot!("form-new-120", App::open(120, 36).press("o").screen());
    assert_snapshot!("editor-120", App::open(120, 36).dark().press("ji").screen());
    assert_snapshot!(
        "reading-120-dark",
        App::open(120, 36).dark().press("/oauth<enter>").screen()
    );
}
